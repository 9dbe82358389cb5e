import { ReplacementParams } from "@/lib/delivery/console/contract-replacements";
import { endpoint } from "@/lib/platform/api/endpoint";
import { revokeBatchOrPreview } from "@/lib/staff/keys/commands";
import { BatchRevoked } from "@/lib/staff/keys/contract";
import { PreviewInput, previewable } from "@/lib/staff/preview/contract";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Revoke the unsold codes of the batch that a request for another code is about",
    description:
      "For good, because the codes of the batch prove bad. Codes that orders hold stay theirs. `key_batch_unknown` for a code that the shop imported itself. With `preview`, the answer only says how many it would revoke.",
    access: staff("stock.manage", { reauthenticated: true }),
    params: ReplacementParams,
    body: PreviewInput,
    result: previewable(BatchRevoked),
    errors: ["replacement_unknown", "key_batch_unknown", "key_batch_runs"],
  },
  ({ viewer, params, body }) => revokeBatchOrPreview(viewer, params.id, body),
);
