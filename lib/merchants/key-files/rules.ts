import { BATCH_STATES, type STOCK_ALERTS } from "@/lib/merchants/rules";

/** Hours in which a merchant puts the codes back on sale that it withdrew. */
export const WITHDRAWAL_UNDO_HOURS = 24;

/** `broken`: the process ended during the import; the file is sent again, and its batch continues. */
export const KEY_BATCH_STATES = [...BATCH_STATES, "broken"] as const;
export type KeyBatchState = (typeof KEY_BATCH_STATES)[number];

export const KEY_FILE_TYPE = "text/csv";
/** The files of tables that spreadsheets save. */
export const KEY_FILE_NAMES = ".csv,.tsv,.txt,text/csv,text/tab-separated-values";
/** The columns of a file of codes, for an example. */
export const KEY_FILE_HEADER = "product,plan,key,redeem_by";
export const KEY_FILE_EXAMPLE = `${KEY_FILE_HEADER}
focus-writer,month,ABCD-EFGH-JKLM,2027-12-31
focus-writer,day:3,NPQR-STUV-WXYZ,`;
/** Codes in one call of a program. */
export const KEYS_PER_CALL = 500;
/** A call with as many of the longest codes. */
export const KEYS_CALL_BYTES = 1024 * 1024;
/** Where the codes come from, in the merchant's words. */
export const STATEMENT_MAX = 1000;

/** Available codes and waiting people of a plan are counted to this number. */
export const COUNTED_KEYS = 1000;
/** The default setting of a plan: a warning below a week of cover. */
export const DEFAULT_ALERT = { kind: "days", value: 7 } as const;
export const ALERT_MAX = 10_000;

export type StockAlert = { kind: (typeof STOCK_ALERTS)[number]; value: number };

/**
 * Whether a plan's codes run low at this rate in units per day (lib/merchants/insight/read-demand.ts). A plan without
 * sales runs low only if its setting is a number of codes, or if people wait for it.
 */
export function isLow(
  { kind, value }: StockAlert,
  { available, rate, waiting }: { available: number; rate: number; waiting: number },
): boolean {
  if (kind === "codes") return available < value;
  if (kind === "off") return false;
  return available < value * rate || (available === 0 && waiting > 0);
}

/** Codes of others that a merchant may send until staff must allow it to add codes again. */
export const FOREIGN_KEYS_MAX = 5;
