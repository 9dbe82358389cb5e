import { KeyBatchesInput, KeyBatchList } from "@/lib/merchants/key-files/contract";
import { listKeyBatches } from "@/lib/merchants/key-files/list-key-batches";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "Batches of activation codes",
    description: "50 a page, newest first.",
    access: merchant("keys.read"),
    query: KeyBatchesInput,
    result: KeyBatchList,
    errors: ["cursor_invalid"],
  },
  ({ viewer, query }) => listKeyBatches(viewer, query),
);
