import { EditedRecords } from "@/lib/catalog/console/contract-editor";
import { listEditedCategories } from "@/lib/catalog/console/list-edited-categories";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "The categories with their lines",
    description: "In the order of the shop, those without products as well.",
    access: staff("products.read"),
    result: EditedRecords,
    errors: [],
  },
  () => listEditedCategories(),
);
