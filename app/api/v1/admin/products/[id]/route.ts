import {
  ConsoleProductParams,
  EditedProduct,
  EditInput,
  EditResult,
} from "@/lib/catalog/console/contract-editor";
import { getEditedProduct } from "@/lib/catalog/console/get-edited-product";
import { saveProduct, textsOfEdit } from "@/lib/catalog/console/save-product";
import { LINE_LIMIT_BYTES } from "@/lib/catalog/import/rules-line";
import { withoutCodes } from "@/lib/delivery/code-text/without-codes";
import { endpoint } from "@/lib/platform/api/endpoint";
import { secondPerson } from "@/lib/staff/approvals/second-person";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "A product with its line, as an import reads it",
    description:
      "With the verdict of the translation gate for each language, what buyers see of each plan, and its price history.",
    access: staff("products.read"),
    params: ConsoleProductParams,
    result: EditedProduct,
    errors: ["product_unknown"],
  },
  ({ params, locale }) => getEditedProduct(params.id, locale),
);

export const POST = endpoint(
  {
    summary: "Change a product",
    description:
      "Writes the line as an import does, and a revision. `base_revision` is that of the line that was edited; another one answers 40940. Prices keep to the rules of imports; those that differ by more than half need a second person: 40941 with the approval's id. With `preview` nothing is written.",
    access: staff("products.write"),
    params: ConsoleProductParams,
    body: EditInput,
    limitBytes: LINE_LIMIT_BYTES,
    texts: withoutCodes(({ params, body }: { params: ConsoleProductParams; body: EditInput }) =>
      textsOfEdit({ ...body, id: params.id }),
    ),
    result: EditResult,
    approval: secondPerson("change_prices"),
    errors: ["product_unknown", "revision_conflict"],
  },
  ({ viewer, params, body, locale }) =>
    saveProduct(
      viewer,
      { id: params.id, baseRevision: body.base_revision, line: body.line, note: body.note },
      { preview: body.preview, locale },
    ),
);
