import { claimGift } from "@/lib/orders/gifts/claim-gift";
import { ClaimGiftInput, GiftClaimed } from "@/lib/orders/gifts/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Claim a gift with the token of its link: its codes move to the viewer's Library, unrevealed",
    description:
      "The account needs a verified email, not necessarily the address the link was sent to; `proof`, from the first email, verifies that address once within 72 hours. Claiming shows no code; `/library/reveal` does and asks for consent.",
    access: "user",
    body: ClaimGiftInput,
    result: GiftClaimed,
    errors: [
      "email_unverified",
      "gift_link_invalid",
      "gift_claimed",
      "gift_returned",
      "gift_refunded",
      "gift_disputed",
    ],
    replay: false,
  },
  ({ body, viewer }) => claimGift(viewer, body),
);
