import { OrderRef } from "@/lib/orders/contract";
import { GiftSaved } from "@/lib/orders/gifts/contract";
import { resendGift } from "@/lib/orders/gifts/resend-gift";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Email a new link of an unclaimed gift, at most three times a day; the earlier link is void",
    access: "user",
    body: OrderRef,
    result: GiftSaved,
    errors: [
      "order_unknown",
      "gift_unknown",
      "gift_unsent",
      "gift_claimed",
      "gift_returned",
      "gift_refunded",
      "gift_disputed",
      "gift_fixed",
    ],
  },
  ({ body, viewer, ip }) => resendGift(viewer, body, ip),
);
