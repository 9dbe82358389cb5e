import { z } from "zod";
import { Instant, IntParam, Usd } from "@/lib/platform/api/fields";
import { Cursor, Flag, listOf } from "@/lib/platform/console/list";

/** GET /admin/products: the newest first; with `name` by name. */
export const ConsoleProductsInput = z.object({
  cursor: Cursor,
  product_id: IntParam.positive().max(2_147_483_647).optional(),
  /** the beginning of a name */
  name: z.string().trim().min(1).max(120).optional(),
  /** the vendor's name in addresses */
  vendor: z.string().trim().min(1).max(120).optional(),
  category: z.string().trim().min(1).max(120).optional(),
  listed: Flag.optional(),
  /** a language lacks its texts */
  untranslated: Flag.optional(),
  /** no code of any plan is available */
  no_stock: Flag.optional(),
  /** nothing was paid for in the last 90 days */
  unsold: Flag.optional(),
});
export type ConsoleProductsInput = z.output<typeof ConsoleProductsInput>;

export const ConsoleProduct = z.object({
  product_id: z.int(),
  slug: z.string(),
  product_name: z.string(),
  vendor: z.string(),
  vendor_slug: z.string(),
  category: z.string(),
  /** listed plans */
  plans: z.int(),
  /** the lowest price of a listed plan; null: none is listed */
  price_from: Usd.nullable(),
  /** available codes of all plans, counted to 100 */
  stock: z.int(),
  stock_exact: z.boolean(),
  listed: z.boolean(),
  /** of its record: a change of several products names it */
  revision: z.int(),
  /** languages without texts */
  untranslated: z.array(z.string()),
  updated_at: Instant,
});
export type ConsoleProduct = z.output<typeof ConsoleProduct>;
export const ConsoleProductList = listOf(ConsoleProduct);
export type ConsoleProductList = z.output<typeof ConsoleProductList>;
