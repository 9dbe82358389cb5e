import { z } from "zod";
import { PASS_TYPES } from "@/lib/catalog/rules";
import { ENTRY_KINDS, HOLD_REASONS } from "@/lib/payouts/money/rules";
import { PAYOUT_OBSTACLES, PAYOUT_STATES } from "@/lib/payouts/rules";
import { Instant } from "@/lib/platform/api/fields";
import { Cursor, Days, listOf, NewestFirst } from "@/lib/platform/console/list";

/** When a merchant is paid next, and what is in the way of it. */
export const NextPayout = z.object({
  /** the day (UTC) on which it is prepared; null: nothing is, before the obstacle is gone */
  on: z.iso.date().nullable(),
  /** what is available now, when it is enough; 0: less than the threshold */
  amount: z.number(),
  threshold: z.number(),
  /** the shop pays out no less to anyone */
  minimum: z.number(),
  /** ISO number of the day of the week, from Monday */
  weekday: z.int(),
  obstacle: z.enum(PAYOUT_OBSTACLES).nullable(),
  /** of `stopped`: staff's words; of `account_waits`: null */
  note: z.string().nullable(),
});

/** GET /merchant/money: what the shop owes the merchant, in USD. `balance` is `available` and all of `held`. */
export const MerchantMoney = z.object({
  currency: z.literal("usd"),
  balance: z.number(),
  available: z.number(),
  /** sent and not confirmed yet; not in the balance any more */
  in_transit: z.number(),
  held: z.array(
    z.object({
      reason: z.enum(HOLD_REASONS),
      amount: z.number(),
      sales: z.int(),
      /** when the first part of it becomes available; null: when a person or the bank has decided */
      next_at: Instant.nullable(),
    }),
  ),
  next_payout: NextPayout,
});
export type MerchantMoney = z.output<typeof MerchantMoney>;

export const PayoutId = z
  .string()
  .trim()
  .regex(/^po_\w{1,60}$/)
  .meta({ example: "po_7c4e" });
/** The payout that paid an entry's sale last, or that the entry is. */
export const EntryPayout = z.object({
  payout_id: z.string(),
  /** null: a debt that was written off */
  run_id: z.string().nullable(),
  state: z.enum(PAYOUT_STATES),
  amount: z.number(),
  at: Instant,
});
export type EntryPayout = z.output<typeof EntryPayout>;

/** The filters of the entries of a merchant's account, also of their file. */
export const MoneyEntryFilters = z.object({
  ...Days,
  /** what was paid together: the payout and the sales it paid */
  payout_id: PayoutId.optional(),
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
  /** null here and below: of no sale */
  sale_id: z.string().nullable(),
  /** of the payout that it is, or that paid its sale; null: not paid yet, or owed again */
  payout_id: z.string().nullable(),
  payout: EntryPayout.nullable(),
  product_id: z.int().nullable(),
  product_name: z.string().nullable(),
  vip_id: z.int().nullable(),
  pass_type: z.enum(PASS_TYPES).nullable(),
  vip_type: z.string().nullable(),
  units: z.int().nullable(),
});
export type MoneyEntry = z.output<typeof MoneyEntry>;

export const MoneyEntryList = listOf(MoneyEntry);
export type MoneyEntryList = z.output<typeof MoneyEntryList>;
