import { z } from "zod";
import { LEDGER_ACCOUNTS } from "@/lib/payments/rules";
import { EntryPayout, PayoutId } from "@/lib/payouts/money/contract";
import {
  BANK_FILE_FORMATS,
  LEAST_MINIMUM_CENTS,
  MAXIMUM_THRESHOLD_CENTS,
  PAYOUT_METHODS,
  PAYOUT_OBSTACLES,
  PAYOUT_OUTCOMES,
  PAYOUT_STATES,
  RUN_ORIGINS,
  RUN_STATES,
  STATEMENT_KINDS,
} from "@/lib/payouts/rules";
import { Instant } from "@/lib/platform/api/fields";
import { Cursor, listOf } from "@/lib/platform/console/list";
import { isWholeCents } from "@/lib/platform/money";

const Id = z.string().trim().min(1).max(64);
export const IdParams = z.object({ id: Id });

/** A run, with the amounts of its payouts in USD. */
export const PayoutRun = z.object({
  run_id: z.string(),
  origin: z.enum(RUN_ORIGINS),
  state: z.enum(RUN_STATES),
  created_at: Instant,
  /** addresses; null: the calendar, or nobody yet */
  prepared_by: z.string().nullable(),
  asked_by: z.string().nullable(),
  approved_by: z.string().nullable(),
  approved_at: Instant.nullable(),
  payouts: z.int(),
  amount: z.number(),
  /** a second person is asked and has not decided */
  waits: z.boolean(),
});
export type PayoutRun = z.output<typeof PayoutRun>;
/** GET /admin/payouts/runs: the newest 100. */
export const PayoutRunList = z.object({ items: z.array(PayoutRun), total: z.int() });
export type PayoutRunList = z.output<typeof PayoutRunList>;
export const RunCreated = z.object({ run_id: z.string() });

export const PayoutRow = z.object({
  payout_id: z.string(),
  merchant_id: z.string(),
  merchant_name: z.string(),
  state: z.enum(PAYOUT_STATES),
  state_at: Instant,
  amount: z.number(),
  sales: z.int(),
  /** names it at the bank; null: it was not sent */
  reference: z.string().nullable(),
  method: z.enum(PAYOUT_METHODS),
  /** the payment provider refused it for now: the shop's balance there is too small */
  lacks_funds: z.boolean(),
  country: z.string(),
  last_four: z.string(),
  /** what the bank or staff said about its end */
  reason: z.string().nullable(),
  /** it stands in a bank file */
  in_file: z.boolean(),
});
export type PayoutRow = z.output<typeof PayoutRow>;

export const BankFile = z.object({
  file_id: z.string(),
  format: z.enum(BANK_FILE_FORMATS),
  payouts: z.int(),
  amount: z.number(),
  made_by: z.string().nullable(),
  created_at: Instant,
});
/** POST /admin/payouts/runs/{id}/files */
export const BankFileMade = z.object({
  file_id: z.string(),
  format: z.enum(BANK_FILE_FORMATS),
  payouts: z.int(),
});
/** GET /admin/payouts/runs/{id}: `rows` are the first 500, what needs somebody first. */
export const PayoutRunDetail = PayoutRun.extend({ rows: z.array(PayoutRow), files: z.array(BankFile) });
export type PayoutRunDetail = z.output<typeof PayoutRunDetail>;

/** POST /admin/payouts/{id}/end */
export const EndPayoutInput = z.object({
  outcome: z.enum(PAYOUT_OUTCOMES),
  reason: z.string().trim().max(500).optional(),
});
export type EndPayoutInput = z.output<typeof EndPayoutInput>;
export const PayoutEnded = z.object({ payout_id: z.string() });

/** What a line of a bank's answer did, or would do. */
export const ANSWER_EFFECTS = ["applied", "unchanged", "unknown", "amount_differs", "impossible"] as const;
/** POST /admin/payouts/answers: the text of a camt.053 file, or of a CSV file with reference, result and reason. */
export const BankAnswerInput = z.object({
  content: z.string().min(1).max(4_000_000),
  /** false: says what it would do */
  apply: z.boolean().default(false),
});
export const BankAnswerReport = z.object({
  lines: z.array(
    z.object({
      reference: z.string(),
      outcome: z.enum(PAYOUT_OUTCOMES),
      effect: z.enum(ANSWER_EFFECTS),
      merchant_name: z.string().nullable(),
      amount: z.number().nullable(),
    }),
  ),
  applied: z.int(),
});
export type BankAnswerReport = z.output<typeof BankAnswerReport>;

/** GET and POST /admin/payouts/settings, in USD */
export const PayoutSettings = z.object({
  /** less is never paid out */
  minimum: z.number(),
  /** the shop's balance at the payment provider; null: never read */
  provider: z
    .object({
      available: z.number(),
      pending: z.number(),
      /** what merchants who are paid there are owed */
      needed: z.number(),
      short: z.number(),
      read_at: Instant,
      /** transfers that no payout explains */
      unexplained: z.int(),
    })
    .nullable(),
  /** payouts that wait for money on that balance */
  lacking_funds: z.int(),
});
export type PayoutSettings = z.output<typeof PayoutSettings>;
export const PayoutSettingsInput = z.object({
  minimum: z
    .number()
    .min(LEAST_MINIMUM_CENTS / 100)
    .max(MAXIMUM_THRESHOLD_CENTS / 100)
    .refine(isWholeCents),
});
/** POST /admin/payouts/reconcile */
export const Reconciled = z.object({
  checked: z.int(),
  /** transfers whose answer was lost */
  recorded: z.int(),
  unexplained: z.int(),
  /** what the balance lacks, in USD */
  short: z.number(),
});
export type Reconciled = z.output<typeof Reconciled>;

export const MerchantBalance = z.object({
  merchant_id: z.string(),
  merchant_name: z.string(),
  state: z.string(),
  balance: z.number(),
  available: z.number(),
  in_transit: z.number(),
  obstacle: z.enum(PAYOUT_OBSTACLES).nullable(),
});
export type MerchantBalance = z.output<typeof MerchantBalance>;
/** GET /admin/payouts/merchants: the 200 with the largest balances, above or below zero. */
export const MerchantBalances = z.object({
  items: z.array(MerchantBalance),
  /** all merchants together, also those that are not listed */
  balance: z.number(),
  in_transit: z.number(),
});
export type MerchantBalances = z.output<typeof MerchantBalances>;

/** POST /admin/merchants/{id}/payouts */
export const StopPayoutsInput = z.object({
  stopped: z.boolean(),
  /** the merchant reads it */
  note: z.string().trim().max(500).default(""),
});
export type StopPayoutsInput = z.output<typeof StopPayoutsInput>;
export const PayoutsStopped = z.object({ merchant_id: z.string(), stopped: z.boolean() });
/** POST /admin/merchants/{id}/write-off */
export const WrittenOff = z.object({ payout_id: z.string() });

/** A sale that cannot be paid yet, for the sandbox's choice of one. */
export type WindowSale = {
  sale_id: string;
  merchant_name: string;
  product_name: string;
  amount: number;
  until: string;
};
/** POST /admin/payouts/end-window */
export const EndWindowInput = z.object({ sale_id: Id });
/** POST /admin/merchants/{id}/account-wait */
export const AccountWaitEnded = z.object({ merchant_id: z.string() });
export const WindowEnded = z.object({ sale_id: z.string() });

/** GET /admin/ledger: the newest entries first, those of a transfer together. */
export const LedgerInput = z.object({
  cursor: Cursor,
  /** what was paid together: the transfers of the payout and of the sales it paid */
  payout_id: PayoutId.optional(),
  account: z.enum(LEDGER_ACCOUNTS).optional(),
});
export type LedgerInput = z.output<typeof LedgerInput>;

export const LedgerRow = z.object({
  entry_id: z.string(),
  transfer_id: z.string(),
  at: Instant,
  account: z.enum(LEDGER_ACCOUNTS),
  debit: z.number().nullable(),
  credit: z.number().nullable(),
  order_id: z.string().nullable(),
  merchant_name: z.string().nullable(),
  /** what the transfer moves: the sum of its debits */
  amount: z.number(),
  payout: EntryPayout.nullable(),
});
export type LedgerRow = z.output<typeof LedgerRow>;
export const StatementRow = z.object({
  statement_id: z.string(),
  merchant_id: z.string(),
  merchant_name: z.string(),
  number: z.int(),
  kind: z.enum(STATEMENT_KINDS),
  to: Instant,
  opening: z.number(),
  closing: z.number(),
  lines: z.int(),
});
export type StatementRow = z.output<typeof StatementRow>;
export const LedgerList = listOf(LedgerRow).extend({
  /** sum of all entries of the ledger, in USD: always 0 */
  imbalance: z.number(),
  accounts: z.array(z.object({ account: z.string(), balance: z.number() })),
  /** the newest 100 of all merchants */
  statements: z.array(StatementRow),
});
export type LedgerList = z.output<typeof LedgerList>;
