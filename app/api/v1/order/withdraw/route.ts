import { WithdrawInput, WithdrawView } from "@/lib/orders/withdrawal/contract";
import { withdrawFromOrder } from "@/lib/orders/withdrawal/withdraw-from-order";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Withdraw from an order by law, with a session or with a code sent to its email",
    description:
      "Without `confirm` it returns a review only. An email alone sends a code. The response does not reveal whether the order exists. What only the stated `country` would allow or forbid, and not the order's, waits for staff.",
    access: "public",
    body: WithdrawInput,
    result: WithdrawView,
    errors: [
      "session_required",
      "order_unknown",
      "email_invalid",
      "country_invalid",
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
