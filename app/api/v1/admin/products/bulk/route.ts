import { changeProducts } from "@/lib/catalog/console/change-products";
import { BulkInput, BulkResult } from "@/lib/catalog/console/contract-editor";
import { endpoint } from "@/lib/platform/api/endpoint";
import { secondPerson } from "@/lib/staff/approvals/second-person";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Change many products in one way",
    description:
      "Pauses or resumes sales, lists or unlists, or changes the category. Each product gets a revision. More than 100 products need a second person: 40941 with the approval's id.",
    access: staff("products.write"),
    body: BulkInput,
    result: BulkResult,
    approval: secondPerson("change_products"),
    errors: ["revision_conflict"],
  },
  ({ viewer, body, locale }) => changeProducts(viewer, body, locale),
);
