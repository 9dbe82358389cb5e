import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { AttemptList, AttemptsInput, EndpointParams } from "@/lib/webhooks/contract";
import { listAttempts } from "@/lib/webhooks/endpoints/list-attempts";

export const GET = endpoint(
  {
    summary:
      "What was sent to an endpoint in the last 30 days, with each attempt and the beginning of its answer",
    access: merchant("webhooks.read"),
    params: EndpointParams,
    query: AttemptsInput,
    result: AttemptList,
    errors: ["webhook_unknown", "cursor_invalid"],
  },
  ({ viewer, params, query }) => listAttempts(viewer, params.id, query),
);
