import { ConsoleProductParams, EditResult, UndoInput } from "@/lib/catalog/console/contract-editor";
import { undoEdit } from "@/lib/catalog/console/edit-product";
import { textsOfEdit, undoProduct } from "@/lib/catalog/console/save-product";
import { withoutCodes } from "@/lib/delivery/code-text/without-codes";
import { endpoint } from "@/lib/platform/api/endpoint";
import { secondPerson } from "@/lib/staff/approvals/second-person";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Return a product to an earlier revision",
    description:
      "Writes the line of that revision as a new one, under the same rules as an edit. Deals that are over stay over.",
    access: staff("products.write"),
    params: ConsoleProductParams,
    body: UndoInput,
    texts: withoutCodes(async ({ params, body }: { params: ConsoleProductParams; body: UndoInput }) =>
      textsOfEdit(await undoEdit(params.id, body.base_revision, body.revision)),
    ),
    result: EditResult,
    approval: secondPerson("change_prices"),
    errors: ["product_unknown", "revision_unknown", "revision_conflict"],
  },
  ({ viewer, params, body, locale }) =>
    undoProduct(viewer, { id: params.id, ...body }, { preview: body.preview, locale }),
);
