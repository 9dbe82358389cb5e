import { KeyBatchParams, KeysWithdrawn, WithdrawKeysInput } from "@/lib/merchants/key-files/contract";
import { withdrawBatch } from "@/lib/merchants/key-files/withdraw-batch";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Withdraw the unsold codes of a batch",
    description:
      "They can neither be sold nor imported again. Until `undo_until`, 24 hours later, `/merchant/keys/batches/{id}/undo-withdrawal` puts them back on sale; the owners are notified. Codes held by orders stay with them, and are withdrawn if they come back. With `preview`, the response only says how many it would withdraw.",
    access: merchant("keys.write", { reauthenticated: true }),
    params: KeyBatchParams,
    body: WithdrawKeysInput,
    result: KeysWithdrawn,
    errors: ["key_batch_unknown", "key_batch_runs"],
  },
  ({ viewer, params, body }) => withdrawBatch(viewer, params.id, body),
);
