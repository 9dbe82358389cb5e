import { withdrawBatch } from "@/lib/merchants/key-files/commands";
import { KeyBatchParams, KeysWithdrawn, WithdrawKeysInput } from "@/lib/merchants/key-files/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Take back the unsold codes of a merchant's batch",
    description:
      "For good. Codes that orders hold stay theirs. With `preview`, the answer only says how many it would take back.",
    access: staff("stock.manage", { reauthenticated: true }),
    params: KeyBatchParams,
    body: WithdrawKeysInput,
    result: KeysWithdrawn,
    errors: ["key_batch_unknown", "key_batch_runs"],
  },
  ({ viewer, params, body }) => withdrawBatch(viewer, params.id, body),
);
