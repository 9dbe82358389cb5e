import { z } from "zod";
import { PASS_TYPES } from "@/lib/catalog/rules";
import { DISCOUNT_FUNDERS, SALE_STATES } from "@/lib/merchants/rules";
import { Instant, IntParam } from "@/lib/platform/api/fields";
import { Cursor, Days, listOf, NewestFirst } from "@/lib/platform/console/list";

/** The filters of a merchant's sales, also of their file. */
export const MerchantSalesFilters = z.object({
  ...Days,
  product_id: IntParam.positive().max(2_147_483_647).optional(),
  vip_id: IntParam.positive().max(2_147_483_647).optional(),
  state: z.enum(SALE_STATES).optional(),
});
/** GET /merchant/sales: newest first. */
export const MerchantSalesInput = MerchantSalesFilters.extend({ cursor: Cursor, sort: NewestFirst });
export type MerchantSalesInput = z.output<typeof MerchantSalesInput>;

export const MerchantSale = z.object({
  sale_id: z.string(),
  sold_at: Instant,
  product_id: z.int(),
  product_name: z.string(),
  vip_id: z.int(),
  pass_type: z.enum(PASS_TYPES),
  vip_type: z.string(),
  units: z.int(),
  /** before the discount */
  price: z.number(),
  discount: z.number(),
  /** who bears the discount; null: there is none */
  discount_by: z.enum(DISCOUNT_FUNDERS).nullable(),
  /** the tax within the price, which is deducted before the shares are computed */
  tax: z.number(),
  /** what the shop keeps, and what the merchant gets */
  commission: z.number(),
  net: z.number(),
  /** what the buyer got back */
  refunded: z.number(),
  refunded_units: z.int(),
  /** what refunds took back of commission and net */
  commission_back: z.number(),
  net_back: z.number(),
  /** what is left of the net amount */
  payable: z.number(),
  payable_on: Instant,
  state: z.enum(SALE_STATES),
  /** identifies the buyer within this merchant's sales */
  buyer: z.string(),
});
export type MerchantSale = z.output<typeof MerchantSale>;

/** The sums of the sales that the filters show. */
export const SaleTotals = z.object({
  sales: z.int(),
  units: z.int(),
  price: z.number(),
  discount: z.number(),
  commission: z.number(),
  net: z.number(),
  refunded: z.number(),
  payable: z.number(),
  /** false: the sums are those of the newest sales only, as many as `sales` says */
  exact: z.boolean(),
});
export type SaleTotals = z.output<typeof SaleTotals>;

export const MerchantSaleList = listOf(MerchantSale).extend({ totals: SaleTotals });
export type MerchantSaleList = z.output<typeof MerchantSaleList>;
