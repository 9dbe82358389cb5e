import { CardList } from "@/lib/payments/cards/contract";
import { listCards } from "@/lib/payments/cards/list-cards";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The viewer's stored cards",
    access: "user",
    result: CardList,
    errors: ["provider_unavailable"],
  },
  ({ viewer }) => listCards(viewer),
);
