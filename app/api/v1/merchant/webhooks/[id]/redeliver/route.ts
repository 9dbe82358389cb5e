import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { EndpointParams, MessageQueued, RedeliverInput } from "@/lib/webhooks/contract";
import { redeliverMessage } from "@/lib/webhooks/endpoints/redeliver-message";

export const POST = endpoint(
  {
    summary: "Send a message of the last 30 days again",
    description: "With the id it had, so that a receiver knows it.",
    access: merchant("webhooks.send"),
    params: EndpointParams,
    body: RedeliverInput,
    result: MessageQueued,
    errors: ["webhook_unknown", "webhook_message_unknown", "webhook_disabled"],
  },
  ({ viewer, params, body }) => redeliverMessage(viewer, params.id, body.message_id),
);
