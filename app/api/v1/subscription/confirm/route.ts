import { ConfirmInput, SubscriptionView } from "@/lib/notifications/contract";
import { confirmSubscription } from "@/lib/notifications/subscriptions/subscribe";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "Confirm a subscription with the token of its email",
    access: "public",
    query: ConfirmInput,
    result: SubscriptionView,
    errors: ["link_invalid"],
    rate: [{ limit: 60, seconds: 600, by: "ip" }],
  },
  ({ query }) => confirmSubscription(query.token),
);
