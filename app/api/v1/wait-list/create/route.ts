import { JoinWaitListInput, WaitListView } from "@/lib/notifications/contract";
import { joinWaitList } from "@/lib/notifications/wait-list/join-wait-list";
import { requireDeliverableEmail } from "@/lib/orders/delivery-options/verify-delivery-email";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Request one email when a sold-out pass is back in stock",
    access: "user",
    body: JoinWaitListInput,
    result: WaitListView,
    errors: [
      "product_unknown",
      "plan_in_stock",
      "delivery_email_unverified",
      "email_unverified",
      "email_invalid",
      "too_many_codes",
    ],
  },
  async ({ viewer, body, ip }) => {
    if (body.email) await requireDeliverableEmail(viewer, body.email, ip);
    return joinWaitList(viewer, body, ip);
  },
);
