import { EditedRecords } from "@/lib/catalog/console/contract-editor";
import { listEditedSynonyms } from "@/lib/catalog/console/list-edited-categories";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "The groups of synonyms with their lines",
    description: "Words with one meaning: a product that one of them finds is found by all.",
    access: staff("products.read"),
    result: EditedRecords,
    errors: [],
  },
  () => listEditedSynonyms(),
);
