import { endpoint } from "@/lib/endpoint";
import { deleteCard } from "@/lib/payments/commands-cards";
import { CardDeleted, DeleteCardInput } from "@/lib/payments/contract-cards";

export const POST = endpoint(
  {
    summary: "Remove a stored card",
    access: "user",
    body: DeleteCardInput,
    result: CardDeleted,
    errors: ["payment_method_unknown", "provider_unavailable"],
  },
  ({ body, viewer }) => deleteCard(viewer, body),
);
