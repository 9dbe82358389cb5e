import { z } from "zod";
import { PASS_TYPES } from "@/lib/catalog/rules";
import { ENTRY_KINDS, HOLD_REASONS } from "@/lib/merchants/money/rules";
import { Instant } from "@/lib/platform/api/fields";
import { Cursor, Days, listOf, NewestFirst } from "@/lib/platform/console/list";

/** GET /merchant/money: what the shop owes the merchant, in USD. `balance` is `available` and all of `held`. */
export const MerchantMoney = z.object({
  currency: z.literal("usd"),
  balance: z.number(),
  available: z.number(),
  held: z.array(
    z.object({
      reason: z.enum(HOLD_REASONS),
      amount: z.number(),
      sales: z.int(),
      /** when the first part of it becomes available; null: when a person or the bank has decided */
      next_at: Instant.nullable(),
    }),
  ),
});
export type MerchantMoney = z.output<typeof MerchantMoney>;

/** The filters of the entries of a merchant's account, also of their file. */
export const MoneyEntryFilters = z.object({
  ...Days,
});
/** GET /merchant/money/entries: newest first. */
export const MoneyEntriesInput = MoneyEntryFilters.extend({ cursor: Cursor, sort: NewestFirst });
export type MoneyEntriesInput = z.output<typeof MoneyEntriesInput>;

export const MoneyEntry = z.object({
  entry_id: z.string(),
  at: Instant,
  kind: z.enum(ENTRY_KINDS),
  /** below zero: taken back */
  amount: z.number(),
  sale_id: z.string(),
  product_id: z.int(),
  product_name: z.string(),
  vip_id: z.int(),
  pass_type: z.enum(PASS_TYPES),
  vip_type: z.string(),
  units: z.int(),
});
export type MoneyEntry = z.output<typeof MoneyEntry>;

export const MoneyEntryList = listOf(MoneyEntry);
export type MoneyEntryList = z.output<typeof MoneyEntryList>;
