import { BatchWithdrawn, KeyBatchParams } from "@/lib/merchants/key-files/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { withdrawBatchOrPreview } from "@/lib/staff/keys/commands";
import { WithdrawBatchInput } from "@/lib/staff/keys/contract";
import { previewable } from "@/lib/staff/preview/contract";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Withdraw the unsold codes of a merchant's batch",
    description:
      "For good. Codes that orders hold stay theirs. `request_id`: the request for another code that shows that the batch is bad; `replacement_unknown` when it is about no code of the batch. With `preview`, the answer only says what it would do.",
    access: staff("stock.manage", { reauthenticated: true }),
    params: KeyBatchParams,
    body: WithdrawBatchInput,
    result: previewable(BatchWithdrawn),
    errors: ["key_batch_unknown", "key_batch_runs", "replacement_unknown"],
  },
  ({ viewer, params, body }) => withdrawBatchOrPreview(viewer, params.id, body),
);
