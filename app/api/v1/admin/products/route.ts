import { ConsoleProductList, ConsoleProductsInput } from "@/lib/catalog/console/contract";
import { EditResult, NewProductInput } from "@/lib/catalog/console/contract-editor";
import { listConsoleProducts } from "@/lib/catalog/console/list-console-products";
import { saveProduct, textsOfEdit } from "@/lib/catalog/console/save-product";
import { LINE_LIMIT_BYTES } from "@/lib/catalog/import/rules-line";
import { withoutCodes } from "@/lib/delivery/code-text/without-codes";
import { endpoint } from "@/lib/platform/api/endpoint";
import { LIST_PERMISSIONS, staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Products",
    description:
      "50 a page, newest first, or with `name` by name. Totals are counted to 1,000. Where a filter has no index, a page looks at a part only: `looked_back_to` says how far, `next_cursor` goes on.",
    access: staff(LIST_PERMISSIONS.products),
    query: ConsoleProductsInput,
    result: ConsoleProductList,
    errors: ["cursor_invalid"],
  },
  ({ query, locale }) => listConsoleProducts(query, locale),
);

export const POST = endpoint(
  {
    summary: "Add a product",
    description:
      "Writes the line as an import does. Its slug must be free. With `preview` nothing is written.",
    access: staff("products.write"),
    body: NewProductInput,
    limitBytes: LINE_LIMIT_BYTES,
    texts: withoutCodes(({ body }: { body: NewProductInput }) => textsOfEdit({ ...body, id: null })),
    result: EditResult,
    errors: [],
  },
  ({ viewer, body, locale }) =>
    saveProduct(
      viewer,
      { id: null, baseRevision: 0, line: body.line, note: body.note },
      { preview: body.preview, locale },
    ),
);
