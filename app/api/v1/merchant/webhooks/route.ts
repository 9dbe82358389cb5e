import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { CreateEndpointInput, EndpointList, EndpointSecret } from "@/lib/webhooks/contract";
import { createEndpoint } from "@/lib/webhooks/endpoints/create-endpoint";
import { listEndpoints } from "@/lib/webhooks/endpoints/list-endpoints";

export const GET = endpoint(
  {
    summary: "The endpoints to which events are sent",
    access: merchant("webhooks.read"),
    result: EndpointList,
    errors: [],
  },
  ({ viewer }) => listEndpoints(viewer),
);

export const POST = endpoint(
  {
    summary: "Make an endpoint",
    description: "The secret is in this answer only. Messages are signed as Standard Webhooks describes.",
    access: merchant("webhooks.manage"),
    body: CreateEndpointInput,
    result: EndpointSecret,
    errors: ["webhook_url_invalid", "webhook_address", "webhooks_full"],
    replay: false,
  },
  ({ viewer, body }) => createEndpoint(viewer, body),
);
