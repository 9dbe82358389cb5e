import { KeyBatch, KeyBatchParams } from "@/lib/merchants/key-files/contract";
import { getKeyBatch } from "@/lib/merchants/key-files/get-key-batch";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "A batch of activation codes with its progress, counts and refused lines",
    description: "The refused lines have numbers and reasons, never a code.",
    access: merchant("keys.read"),
    params: KeyBatchParams,
    result: KeyBatch,
    errors: ["key_batch_unknown"],
  },
  ({ viewer, params, locale }) => getKeyBatch(viewer, params.id, locale),
);
