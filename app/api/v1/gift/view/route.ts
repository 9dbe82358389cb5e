import { GiftLinkInput, GiftLinkView } from "@/lib/orders/gifts/contract";
import { getGiftLink } from "@/lib/orders/gifts/view-gift-link";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "What the link of a gift leads to: its passes and message, or why it cannot be claimed",
    access: "public",
    body: GiftLinkInput,
    result: GiftLinkView,
    errors: ["gift_link_invalid"],
    rate: [{ limit: 60, seconds: 600, by: "ip" }],
    replay: false,
  },
  ({ body, viewer, locale }) => getGiftLink(viewer, body.token, locale),
);
