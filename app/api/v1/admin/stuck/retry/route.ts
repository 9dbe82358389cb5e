import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";
import { RetryInput, StuckRetried } from "@/lib/staff/stuck/contract";
import { retryEffects, retryStuck } from "@/lib/staff/stuck/retry-stuck";

export const POST = endpoint(
  {
    summary: "Run one stuck thing again",
    description:
      "Exactly this one, by the function that runs it otherwise. A second press finds it waiting or gone and changes nothing. A failed email is sent again by `/admin/mails/{id}/again`.",
    access: staff("stuck.retry"),
    body: RetryInput,
    previewable: retryEffects,
    result: StuckRetried,
    errors: ["provider_unavailable"],
  },
  ({ viewer, body }) => retryStuck(viewer, body),
);
