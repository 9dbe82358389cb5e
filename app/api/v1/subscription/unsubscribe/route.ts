import { UnsubscribeInput, UnsubscribeQuery, UnsubscribeView } from "@/lib/notifications/contract";
import { unsubscribe } from "@/lib/notifications/subscriptions/unsubscribe";
import { toMailSender } from "@/lib/notifications/take-mail-budget";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Unsubscribe from a kind of email with a signed link, or request that link by email",
    description: "Also accepts one-click unsubscribing (RFC 8058) with the token in the query.",
    access: "public",
    body: UnsubscribeInput,
    query: UnsubscribeQuery,
    result: UnsubscribeView,
    errors: ["link_invalid", "email_invalid"],
    rate: [{ limit: 60, seconds: 600, by: "ip" }],
  },
  ({ body, query, viewer, locale, ip }) =>
    unsubscribe({ ...body, token: body.token ?? query.token }, locale, toMailSender(viewer, ip)),
);
