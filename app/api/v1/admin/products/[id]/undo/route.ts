import { ConsoleProductParams, EditResult, UndoInput } from "@/lib/catalog/console/contract-editor";
import { endpoint } from "@/lib/platform/api/endpoint";
import { secondPerson } from "@/lib/staff/approvals/second-person";
import { undoProduct } from "@/lib/staff/products/save-product";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Return a product to an earlier revision",
    description:
      "Writes the line of that revision as a new one, under the same rules as an edit. Deals that are over stay over.",
    access: staff("products.write"),
    params: ConsoleProductParams,
    body: UndoInput,
    result: EditResult,
    approval: secondPerson("change_prices"),
    errors: ["product_unknown", "revision_unknown", "revision_conflict", "note_has_code"],
  },
  ({ viewer, params, body, locale }) =>
    undoProduct(viewer, { id: params.id, ...body }, { preview: body.preview, locale }),
);
