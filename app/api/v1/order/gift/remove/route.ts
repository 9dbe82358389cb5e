import { OrderRef } from "@/lib/orders/contract";
import { GiftRemoved } from "@/lib/orders/gifts/contract";
import { removeGift } from "@/lib/orders/gifts/save-gift";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Keep an order oneself instead of giving it away, until the gift's email is sent",
    description: "After the payment the codes move to the buyer's Library, unrevealed.",
    access: "user",
    body: OrderRef,
    result: GiftRemoved,
    errors: ["order_unknown", "gift_fixed", "gift_disputed"],
  },
  ({ body, viewer }) => removeGift(viewer, body),
);
