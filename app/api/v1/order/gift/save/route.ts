import { GiftSaved, SaveGiftInput } from "@/lib/orders/gifts/contract";
import { saveGift } from "@/lib/orders/gifts/save-gift";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Make an unpaid order a gift, or change a gift until its email is sent",
    description:
      "One recipient, day and message for the whole order. The codes stay unrevealed regardless of the delivery choice. The email with the link is sent after the payment, not before the day, once all codes are delivered.",
    access: "user",
    body: SaveGiftInput,
    result: GiftSaved,
    errors: [
      "order_unknown",
      "email_invalid",
      "gift_date_wrong",
      "gift_too_late",
      "gift_codes_expire",
      "gift_from_free",
      "gift_fixed",
      "gift_disputed",
      "unrevealed_returns",
      "unavailable",
    ],
  },
  ({ body, viewer, locale, timeZone, ip }) => saveGift(viewer, body, locale, timeZone, ip),
);
