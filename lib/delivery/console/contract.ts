import { z } from "zod";
import { PASS_TYPES } from "@/lib/catalog/rules";
import { Instant, IntParam } from "@/lib/platform/api/fields";
import { Cursor, Flag, listOf } from "@/lib/platform/console/list";

/** GET /admin/keys/stock: plans with their codes, those of the newest product first. */
export const ConsoleStockInput = z.object({
  cursor: Cursor,
  vip_id: IntParam.positive().max(2_147_483_647).optional(),
  product_id: IntParam.positive().max(2_147_483_647).optional(),
  /** the vendor's name in addresses */
  vendor: z.string().trim().min(1).max(120).optional(),
  category: z.string().trim().min(1).max(120).optional(),
  vip_type: z.enum(PASS_TYPES).optional(),
  pass_type: z.enum(PASS_TYPES).optional(),
  listed: Flag.optional(),
  /** no code is available */
  no_stock: Flag.optional(),
  /** someone waits for a code */
  waiting: Flag.optional(),
});
export type ConsoleStockInput = z.output<typeof ConsoleStockInput>;

export const ConsoleStock = z.object({
  vip_id: z.int(),
  product_id: z.int(),
  product_name: z.string(),
  vip_type: z.string(),
  vendor: z.string(),
  vendor_slug: z.string(),
  listed: z.boolean(),
  /** counted to 100, as are `reserved` and `waiting` */
  available: z.int(),
  /** held by orders that are not delivered */
  reserved: z.int(),
  /** people on the wait-list */
  waiting: z.int(),
  /** paid units of the last 28 days, without today's last minutes */
  sold_28_days: z.int(),
  /** days for which the available codes last at that rate; null: nothing was sold, or more codes than are counted */
  days_of_cover: z.int().nullable(),
  /** the next day on which available codes end */
  next_redeem_by: Instant.nullable(),
});
export type ConsoleStock = z.output<typeof ConsoleStock>;
export const ConsoleStockList = listOf(ConsoleStock);
export type ConsoleStockList = z.output<typeof ConsoleStockList>;
