import { withdrawFromOrder } from "@/lib/orders/withdrawal/commands";
import { WithdrawInput, WithdrawView } from "@/lib/orders/withdrawal/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Statutory withdrawal from an order: by session, or by its e-mail with a mailed code",
    description:
      "Without `confirm` nothing happens but the review. An e-mail alone mails a code, with the same answer whether the order exists or not.",
    access: "public",
    body: WithdrawInput,
    result: WithdrawView,
    errors: [
      "session_required",
      "order_unknown",
      "email_invalid",
      "link_invalid",
      "code_wrong",
      "code_expired",
      "code_just_sent",
      "too_many_codes",
      "code_used_up",
    ],
    rate: [{ limit: 30, seconds: 600, by: "ip" }],
    failClosed: true,
    replay: false,
  },
  ({ body, viewer, locale, ip }) => withdrawFromOrder(viewer, body, locale, ip),
);
