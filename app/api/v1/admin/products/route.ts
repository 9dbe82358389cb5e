import { ConsoleProductList, ConsoleProductsInput } from "@/lib/catalog/console/contract";
import { listConsoleProducts } from "@/lib/catalog/console/queries";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Products",
    description:
      "50 a page, newest first, or with `name` by name. Totals are counted to 1,000. Where a filter has no index, a page looks at a part only: `looked_back_to` says how far, `next_cursor` goes on.",
    access: staff("products.read"),
    query: ConsoleProductsInput,
    result: ConsoleProductList,
    errors: ["cursor_invalid"],
  },
  ({ query, locale }) => listConsoleProducts(query, locale),
);
