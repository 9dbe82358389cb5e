import { endpoint } from "@/lib/endpoint";
import { CardList } from "@/lib/payments/contract-cards";
import { listCards } from "@/lib/payments/queries-cards";

export const GET = endpoint(
  {
    summary: "The viewer's stored cards",
    access: "user",
    result: CardList,
    errors: ["provider_unavailable"],
  },
  ({ viewer }) => listCards(viewer),
);
