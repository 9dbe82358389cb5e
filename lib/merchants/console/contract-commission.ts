import { z } from "zod";
import { PASS_TYPES } from "@/lib/catalog/rules";
import { Instant, Usd, UsdInput } from "@/lib/platform/api/fields";

/** A rule of what the shop keeps of sales; the most specific valid one counts. */
export const CommissionRule = z.object({
  rule_id: z.string(),
  /** handle and name of the merchant; null: of all */
  merchant: z.string().nullable(),
  merchant_name: z.string().nullable(),
  /** null: of all */
  category: z.string().nullable(),
  pass_type: z.enum(PASS_TYPES).nullable(),
  /** of the price before discounts of the shop */
  percent: z.number(),
  /** for each unit */
  fixed: Usd,
  valid_from: Instant,
  /** an address; `system`: from the beginning */
  created_by: z.string(),
  /** a newer rule for the same sales is valid, or this one is not valid yet */
  current: z.boolean(),
});
export type CommissionRule = z.output<typeof CommissionRule>;
export const CommissionRuleList = z.object({ items: z.array(CommissionRule), total: z.int() });
export type CommissionRuleList = z.output<typeof CommissionRuleList>;

/** POST /admin/commission: rules never change; a newer one for the same sales replaces an older one. */
export const CommissionInput = z.object({
  /** the merchant's handle */
  merchant: z.string().trim().min(1).max(80).optional(),
  category: z.string().trim().min(1).max(120).optional(),
  pass_type: z.enum(PASS_TYPES).optional(),
  /** an earlier name of pass_type */
  vip_type: z.enum(PASS_TYPES).optional(),
  /** with at most two decimals */
  percent: z.number().min(0).max(100).multipleOf(0.01).meta({ example: 12.5 }),
  fixed: UsdInput.max(1_000).default(0),
  /** default: now */
  valid_from: Instant.optional(),
});
export type CommissionInput = z.output<typeof CommissionInput>;
export const CommissionAdded = z.object({ rule_id: z.string() });
