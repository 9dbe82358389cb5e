import { CardDeleted, DeleteCardInput } from "@/lib/payments/cards/contract";
import { deleteCard } from "@/lib/payments/cards/delete-card";
import { endpoint } from "@/lib/platform/api/endpoint";

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
