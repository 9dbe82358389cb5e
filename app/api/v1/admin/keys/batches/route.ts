import { ConsoleBatchesInput, ConsoleBatchList } from "@/lib/merchants/key-files/contract";
import { listConsoleBatches } from "@/lib/merchants/key-files/list-key-batches";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Batches of activation codes of all merchants",
    description: "50 a page, newest first.",
    access: staff("products.read"),
    query: ConsoleBatchesInput,
    result: ConsoleBatchList,
    errors: ["cursor_invalid"],
  },
  ({ query }) => listConsoleBatches(query),
);
