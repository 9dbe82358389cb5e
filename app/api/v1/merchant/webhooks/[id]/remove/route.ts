import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { EndpointParams, EndpointRemoved } from "@/lib/webhooks/contract";
import { removeEndpoint } from "@/lib/webhooks/endpoints/remove-endpoint";

export const POST = endpoint(
  {
    summary: "Remove an endpoint with its log",
    access: merchant("webhooks.manage"),
    params: EndpointParams,
    result: EndpointRemoved,
    errors: ["webhook_unknown"],
  },
  ({ viewer, params }) => removeEndpoint(viewer, params.id),
);
