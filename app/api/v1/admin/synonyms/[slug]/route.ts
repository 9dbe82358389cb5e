import { LineInput, LineParams, LineResult } from "@/lib/catalog/console/contract-editor";
import { editLine } from "@/lib/catalog/console/edit-line";
import { textsOfRecord } from "@/lib/catalog/import/rules-line";
import { withoutCodes } from "@/lib/delivery/code-text/without-codes";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Change or add a group of synonyms",
    description:
      "Writes the line as an import does; a group without words is removed. `base_revision` is that of the line that was edited, 0 for a new group; another one answers 40940.",
    access: staff("products.write"),
    params: LineParams,
    body: LineInput,
    texts: withoutCodes(({ body }: { body: LineInput }) => textsOfRecord(body.line).map(({ text }) => text)),
    result: LineResult,
    errors: ["synonyms_unknown", "revision_conflict"],
  },
  ({ viewer, params, body, locale }) =>
    editLine(
      { userId: viewer.userId, locale },
      "synonyms",
      { slug: params.slug, baseRevision: body.base_revision, line: body.line },
      body.preview,
    ),
);
