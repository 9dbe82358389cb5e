import { LineInput, LineParams, LineResult } from "@/lib/catalog/console/contract-editor";
import { endpoint } from "@/lib/platform/api/endpoint";
import { saveLine } from "@/lib/staff/products/save-product";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Change or add a category",
    description:
      "Writes the line as an import does. `base_revision` is that of the line that was edited, 0 for a new category; another one answers 40940.",
    access: staff("products.write"),
    params: LineParams,
    body: LineInput,
    result: LineResult,
    errors: ["category_unknown", "revision_conflict", "note_has_code"],
  },
  ({ viewer, params, body, locale }) =>
    saveLine(
      viewer,
      "category",
      { slug: params.slug, baseRevision: body.base_revision, line: body.line },
      { preview: body.preview, locale },
    ),
);
