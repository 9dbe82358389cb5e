import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { EndpointParams, EndpointSaved, SaveEndpointInput } from "@/lib/webhooks/contract";
import { saveEndpoint } from "@/lib/webhooks/endpoints/save-endpoint";

export const POST = endpoint(
  {
    summary: "Save an endpoint as a whole, also to disable or enable it",
    description:
      "While it is disabled nothing is recorded for it. Once it is enabled, what waited is sent, the oldest first.",
    access: merchant("webhooks.manage"),
    params: EndpointParams,
    body: SaveEndpointInput,
    result: EndpointSaved,
    errors: ["webhook_unknown", "webhook_url_invalid", "webhook_address"],
  },
  ({ viewer, params, body }) => saveEndpoint(viewer, params.id, body),
);
