import { z } from "zod";
import { CouponCode } from "@/lib/coupons/contract";
import { ORDER_STATUSES } from "@/lib/orders/rules";
import { PAYMENT_STATES } from "@/lib/payments/rules";
import { Instant, IntParam, Usd, UsdInputParam } from "@/lib/platform/api/fields";
import { Cursor, Days, EmailPrefix, Flag, listOf, NewestFirst } from "@/lib/platform/console/list";
import { foldOrderNumber } from "@/lib/platform/fold-text";

/** GET /admin/orders: newest first; with `email` by address, then newest first. */
export const ConsoleOrdersInput = z.object({
  cursor: Cursor,
  sort: NewestFirst,
  status: z.enum(ORDER_STATUSES).optional(),
  ...Days,
  /** the beginning of a delivery address */
  email: EmailPrefix.optional(),
  /** orders of one account */
  customer_id: z.string().min(1).max(64).optional(),
  /** an order's number or id, or the id of its payment */
  number: z.string().overwrite(foldOrderNumber).min(1).max(255).optional(),
  vip_id: IntParam.positive().max(2_147_483_647).optional(),
  /** the vendor's name in addresses */
  vendor: z.string().trim().min(1).max(120).optional(),
  amount_from: UsdInputParam.optional(),
  amount_to: UsdInputParam.optional(),
  coupon_code: CouponCode.optional(),
  /** a dispute is open */
  disputed: Flag.optional(),
  /** a paid pass waits for stock */
  waiting: Flag.optional(),
  /** the campaign source the order came by */
  came_from: z.string().trim().min(1).max(200).optional(),
});
export type ConsoleOrdersInput = z.output<typeof ConsoleOrdersInput>;

export const ConsoleOrder = z.object({
  order_id: z.string(),
  order_number: z.string(),
  created_at: Instant,
  /** the buyer's delivery address */
  send_email: z.string(),
  passes: z.array(
    z.object({
      product_name: z.string(),
      vip_type: z.string(),
      quantity: z.int(),
      waiting: z.boolean(),
    }),
  ),
  final_amount: Usd,
  status: z.enum(ORDER_STATUSES),
  /** null: nothing was to pay, or no payment was opened */
  payment: z.object({ state: z.enum(PAYMENT_STATES), method: z.string().nullable() }).nullable(),
  paid_at: Instant.nullable(),
  disputed: z.boolean(),
});
export type ConsoleOrder = z.output<typeof ConsoleOrder>;
export const ConsoleOrderList = listOf(ConsoleOrder);
export type ConsoleOrderList = z.output<typeof ConsoleOrderList>;
