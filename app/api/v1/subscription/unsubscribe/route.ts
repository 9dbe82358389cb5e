import { UnsubscribeInput, UnsubscribeQuery, UnsubscribeView } from "@/lib/notifications/contract";
import { unsubscribe } from "@/lib/notifications/subscriptions/commands";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "End a kind of mail by a signed link, or have the link mailed to an address",
    description: "Also the one-click form of RFC 8058: the token stands in the query then.",
    access: "public",
    body: UnsubscribeInput,
    query: UnsubscribeQuery,
    result: UnsubscribeView,
    errors: ["link_invalid", "email_invalid"],
    rate: [{ limit: 60, seconds: 600, by: "ip" }],
  },
  ({ body, query, locale }) => unsubscribe({ ...body, token: body.token ?? query.token }, locale),
);
