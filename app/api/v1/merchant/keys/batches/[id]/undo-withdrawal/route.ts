import { KeyBatchParams, KeysPutBack } from "@/lib/merchants/key-files/contract";
import { undoBatchWithdrawal } from "@/lib/merchants/key-files/withdraw-batch";
import { merchant } from "@/lib/merchants/rules";
import { enqueueAssignWaiting } from "@/lib/orders/fulfilment/enqueue-assign";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Put the withdrawn codes of a batch back on sale",
    description:
      "Those that were withdrawn unsold within 24 hours. Codes that were sold or replaced are not touched. What staff have withdrawn stays so.",
    access: merchant("keys.write", { reauthenticated: true }),
    params: KeyBatchParams,
    result: KeysPutBack,
    errors: ["key_batch_unknown", "withdrawal_final", "withdrawal_by_shop"],
  },
  ({ viewer, params }) => undoBatchWithdrawal(viewer, params.id, enqueueAssignWaiting),
);
