import { z } from "zod";
import { BATCH_SOURCES, STOCK_ALERTS } from "@/lib/merchants/rules";
import { Instant, IntParam } from "@/lib/platform/api/fields";
import { Cursor, Flag, listOf } from "@/lib/platform/console/list";
import { ALERT_MAX, KEY_BATCH_STATES, KEYS_PER_CALL, STATEMENT_MAX } from "./rules";

const Sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" });
/** A file's name, without a folder. */
const FileName = z.string().trim().min(1).max(200).meta({ example: "keys.csv" });
const Source = z.enum(BATCH_SOURCES);
const Statement = z
  .string()
  .trim()
  .min(1)
  .max(STATEMENT_MAX)
  .meta({ example: "Made by our licence server on 20 November." });
const PlanId = z.int().positive().max(2_147_483_647).meta({ example: 1 });

/** What an import did, or would do: new codes, codes that were there before, refused lines. */
const Counts = z.object({ new: z.int(), known: z.int(), refused: z.int() });
export type KeyFileCounts = z.output<typeof Counts>;
/** A refused line: its number from 1, the name of the reason, and the reason in the language of the request. */
const RefusedLine = z.object({ line: z.int(), reason: z.string(), message: z.string() });
export type RefusedKeyLine = z.output<typeof RefusedLine>;

/** The body of POST /merchant/keys/preview as JSON: codes of one plan. The number of a line is a code's place, from 1. */
export const KeyListInput = z.object({
  plan_id: PlanId,
  keys: z
    .array(z.string().max(1000))
    .min(1)
    .max(KEYS_PER_CALL)
    .meta({ example: ["ABCD-EFGH-JKLM"] }),
  /** the last day on which they can be redeemed */
  redeem_by: z.string().max(20).nullish().meta({ example: "2027-12-31" }),
  /**
   * accepts codes that look like numbers or dates of a spreadsheet, because someone has compared them with the original
   */
  confirm_held: z.boolean().optional(),
});
export type KeyListInput = z.output<typeof KeyListInput>;
/** The same of POST /merchant/keys/import, with where the codes come from. */
export const KeyListImportInput = KeyListInput.extend({
  source: Source.default("issued"),
  statement: Statement.optional(),
});
export type KeyListImportInput = z.output<typeof KeyListImportInput>;

/** POST /merchant/keys/preview, of a file: as `confirm_held` of a list. */
export const KeyPreviewQuery = z.object({ confirm_held: Flag.optional() });

/** POST /merchant/keys/import: of the file that was previewed. */
export const KeyFileQuery = KeyPreviewQuery.extend({
  sha256: Sha256,
  name: FileName,
  source: Source,
  statement: Statement,
});
export type KeyFileQuery = z.output<typeof KeyFileQuery>;

/** POST /merchant/keys/preview */
export const KeyFilePreview = z.object({
  sha256: Sha256,
  lines: z.int(),
  counts: Counts,
  /** at most 10,000 */
  refused: z.array(RefusedLine),
  /** The refused lines that `confirm_held` would take, counted to 10,000. */
  held: z.int(),
  /** The batch that this file has already. Its import goes on there, with the source and statement of the beginning. */
  batch_id: z.string().nullable(),
});
export type KeyFilePreview = z.output<typeof KeyFilePreview>;

/** GET /merchant/keys/batches */
export const KeyBatchesInput = z.object({ cursor: Cursor });
export type KeyBatchesInput = z.output<typeof KeyBatchesInput>;
export const KeyBatchItem = z.object({
  batch_id: z.string(),
  /** the file's name, or `API` */
  name: z.string(),
  sha256: z.string(),
  source: Source,
  state: z.enum(KEY_BATCH_STATES),
  /** lines of the file, or codes of the list */
  lines: z.int(),
  counts: Counts,
  /** codes that can be sold, counted to 100 */
  available: z.int(),
  /** until when its merchant may put the withdrawn codes back on sale; null: none, or staff have withdrawn codes of it */
  undo_until: Instant.nullable(),
  /** an address, or the name of a token */
  by: z.string(),
  started_at: Instant,
  ended_at: Instant.nullable(),
});
export type KeyBatchItem = z.output<typeof KeyBatchItem>;
export const KeyBatchList = listOf(KeyBatchItem);
export type KeyBatchList = z.output<typeof KeyBatchList>;

export const KeyBatchParams = z.object({ id: z.string().min(1).max(64) });
/** GET /merchant/keys/batches/{id}: exact counts, and the refused lines once the import has ended. */
export const KeyBatch = KeyBatchItem.extend({
  /** codes that can be sold */
  available: z.int(),
  statement: z.string(),
  /** held by orders that are not delivered */
  reserved: z.int(),
  /** delivered, those of refunded orders too */
  sold: z.int(),
  /** of the sold ones: those that did not work and were replaced */
  replaced: z.int(),
  /** replaced ÷ sold; null: none is sold */
  replaced_share: z.number().nullable(),
  /** withdrawn unsold */
  withdrawn: z.int(),
  /** at most 10,000 */
  refused: z.array(RefusedLine),
});
export type KeyBatch = z.output<typeof KeyBatch>;

/** POST /merchant/keys/import */
export const KeyBatchStarted = KeyBatch.extend({
  /** false: the import of this file runs already, or there is nothing left to add */
  started: z.boolean(),
});
export type KeyBatchStarted = z.output<typeof KeyBatchStarted>;

/** POST …/keys/batches/{id}/withdraw: `preview` only answers how many codes it would withdraw. */
export const WithdrawKeysInput = z.object({ preview: z.boolean().default(false) });
export const StaffWithdrawInput = WithdrawKeysInput.extend({
  /** of the request for another code that shows that the batch is bad */
  request_id: z.string().min(1).max(64).optional(),
});
export type StaffWithdrawInput = z.output<typeof StaffWithdrawInput>;
export const KeysWithdrawn = z.object({
  batch_id: z.string(),
  /** nothing was done */
  preview: z.boolean(),
  /** unsold codes that were withdrawn, or would be */
  withdrawn: z.int(),
  /** held by orders; withdrawn when one lets go of them */
  reserved: z.int(),
  /** until when the merchant may put them back on sale; null: nothing to put back, or staff have withdrawn codes of the batch; of a preview: as it is before */
  undo_until: Instant.nullable(),
});
export type KeysWithdrawn = z.output<typeof KeysWithdrawn>;

/** POST /merchant/keys/batches/{id}/undo-withdrawal */
export const KeysPutBack = z.object({
  batch_id: z.string(),
  /** codes that are on sale again */
  restored: z.int(),
});
export type KeysPutBack = z.output<typeof KeysPutBack>;

const Merchant = { merchant_id: z.string(), merchant: z.string(), handle: z.string() };
/** GET /admin/keys/batches */
export const ConsoleBatchesInput = z.object({
  cursor: Cursor,
  /** a merchant's place in addresses */
  merchant: z.string().trim().min(1).max(120).optional(),
  state: z.enum(KEY_BATCH_STATES).optional(),
});
export type ConsoleBatchesInput = z.output<typeof ConsoleBatchesInput>;
export const ConsoleBatchItem = KeyBatchItem.extend(Merchant);
export type ConsoleBatchItem = z.output<typeof ConsoleBatchItem>;
export const ConsoleBatchList = listOf(ConsoleBatchItem);
export type ConsoleBatchList = z.output<typeof ConsoleBatchList>;
export const ConsoleBatch = KeyBatch.extend(Merchant);
export type ConsoleBatch = z.output<typeof ConsoleBatch>;

/** GET /merchant/stock: plans with their codes, those of the newest product first. */
export const MerchantStockInput = z.object({
  cursor: Cursor,
  product_id: IntParam.positive().max(2_147_483_647).optional(),
  /** no code is available */
  no_stock: Flag.optional(),
  /** someone waits for a code */
  waiting: Flag.optional(),
});
export type MerchantStockInput = z.output<typeof MerchantStockInput>;

const Alert = z.object({ kind: z.enum(STOCK_ALERTS), value: z.int().min(0).max(ALERT_MAX) });
export const MerchantStock = z.object({
  plan_id: z.int(),
  product_id: z.int(),
  product_name: z.string(),
  plan_label: z.string(),
  listed: z.boolean(),
  /** counted to 1,000, as are waiting people; reserved ones to 100 */
  available: z.int(),
  reserved: z.int(),
  /** people on the wait-list */
  waiting: z.int(),
  sold_28_days: z.int(),
  /** as `cover` of /merchant/insight/demand: days for which the available codes last; null: nothing was sold, or more codes than are counted */
  days_of_cover: z.int().nullable(),
  /** the next day on which available codes end */
  next_redeem_by: Instant.nullable(),
  /** as `suggestion` there: codes to add for 14 days and for the wait-list */
  suggested: z.int(),
  /** days since the first sale of the last 8 weeks, as there */
  history_days: z.int(),
  /** when owners are notified by email */
  alert: Alert,
  low: z.boolean(),
});
export type MerchantStock = z.output<typeof MerchantStock>;
export const MerchantStockList = listOf(MerchantStock);
export type MerchantStockList = z.output<typeof MerchantStockList>;

export const StockParams = z.object({ id: IntParam.positive().max(2_147_483_647) });
/** POST /merchant/stock/{plan}: `days` of cover, a number of `codes`, or `off`. */
export const StockAlertInput = Alert.meta({ example: { kind: "days", value: 7 } });
export const StockAlertSet = Alert.extend({ plan_id: z.int() });
export type StockAlertSet = z.output<typeof StockAlertSet>;
