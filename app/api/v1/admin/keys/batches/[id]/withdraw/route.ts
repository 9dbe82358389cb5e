import { KeyBatchParams, KeysWithdrawn, StaffWithdrawInput } from "@/lib/merchants/key-files/contract";
import { withdrawBatch } from "@/lib/merchants/key-files/withdraw-batch";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Withdraw the unsold codes of a merchant's batch",
    description:
      "For good, also what the merchant has withdrawn itself. Codes held by orders stay with them, and are withdrawn if they come back. `request_id`: the request for another code that shows that the batch is bad; `replacement_unknown` when it is about no code of the batch. With `preview`, the response only says how many it would withdraw.",
    access: staff("stock.manage", { reauthenticated: true }),
    params: KeyBatchParams,
    body: StaffWithdrawInput,
    result: KeysWithdrawn,
    errors: ["key_batch_unknown", "key_batch_runs", "replacement_unknown"],
  },
  ({ viewer, params, body }) => withdrawBatch(viewer, params.id, body),
);
