import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { EndpointParams, MessageQueued } from "@/lib/webhooks/contract";
import { sendTest } from "@/lib/webhooks/endpoints/send-test";

export const POST = endpoint(
  {
    summary: "Send a test to an endpoint",
    description: "A message `webhook.test`, attempted once; its outcome is among the attempts.",
    access: merchant("webhooks.send"),
    params: EndpointParams,
    result: MessageQueued,
    errors: ["webhook_unknown", "webhook_disabled"],
  },
  ({ viewer, params }) => sendTest(viewer, params.id),
);
