import { ConsoleBatch, KeyBatchParams } from "@/lib/merchants/key-files/contract";
import { getConsoleBatch } from "@/lib/merchants/key-files/get-key-batch";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "A merchant's batch of activation codes",
    description: "Its counts, the statement of source, and the refused lines. Never a code.",
    access: staff("products.read"),
    params: KeyBatchParams,
    result: ConsoleBatch,
    errors: ["key_batch_unknown"],
  },
  ({ params, locale }) => getConsoleBatch(params.id, locale),
);
