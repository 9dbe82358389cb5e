import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { EndpointParams, EndpointSecret } from "@/lib/webhooks/contract";
import { rotateSecret } from "@/lib/webhooks/endpoints/rotate-secret";

export const POST = endpoint(
  {
    summary: "Give an endpoint a new secret",
    description: "It is in this answer only. The former one signs beside it for 24 hours.",
    access: merchant("webhooks.manage"),
    params: EndpointParams,
    result: EndpointSecret,
    errors: ["webhook_unknown"],
    replay: false,
  },
  ({ viewer, params }) => rotateSecret(viewer, params.id),
);
