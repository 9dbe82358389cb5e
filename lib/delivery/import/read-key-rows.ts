import { PASS_TYPES } from "@/lib/catalog/rules";
import { keyPrints } from "@/lib/delivery/fingerprints/key-prints";
import { normalizeKey } from "@/lib/delivery/rules";
import { type Delimiter, declaredDelimiter, isBlankRow } from "@/lib/platform/content/csv";
import { parseFields, withoutBlankEnd } from "@/lib/platform/content/csv-fields";
import { readLines } from "@/lib/platform/content/lines";
import { type Reason, reason } from "@/lib/platform/error-messages";
import type { ErrorName, ErrorParams } from "@/lib/platform/errors";
import { dropInvisible } from "@/lib/platform/fold-text";
import { spreadsheetDamage } from "@/lib/platform/imports/spreadsheet";
import type { KeyImportError, KeyImportOptions } from "./import-options";
import {
  type CsvRow,
  endOfDay,
  KEY_MAX,
  KEY_MIN,
  type KeyHeader,
  parseHeader,
  parsePlanId,
  parsePlanKind,
} from "./key-fields";
import { codeForm } from "./rules-form";

/** The plan of a line, by its product and kind or by its id. */
export type PlanName = { product: string; kind: string; planId?: undefined } | { planId: number };
/** A key that may be imported; `line` is its number in the file or list. */
export type KeyRow = {
  line: number;
  plan: PlanName;
  key: string;
  print: string;
  lettersHash: number;
  redeemBy: Date | null;
  /** The code may be mistaken for a word, so only products that allow such codes accept it. */
  isWeak: boolean;
};

const LINE_LIMIT_BYTES = 8 * 1024;

/** Keys of one plan, as programs send them: the number of a line is the place in the list. */
export type KeyList = { planId: number; keys: readonly string[]; redeemBy: string | null };

/**
 * The lines of a CSV file: with commas, semicolons, tabs or bars as delimiters. A file without a header
 * yields one rejected line; empty rows of spreadsheets are skipped.
 */
export async function* readRows(
  source: AsyncIterable<Buffer>,
  checks: KeyChecks,
): AsyncGenerator<KeyRow | KeyImportError> {
  let header: KeyHeader | undefined;
  let declared: Delimiter | undefined;
  for await (const { number: line, ...read } of readLines(source, LINE_LIMIT_BYTES)) {
    if (read.problem === undefined && isBlankRow(read.text)) continue;
    if (header) {
      yield parseRow({ line, ...read }, header, checks);
      continue;
    }
    if (read.problem !== undefined) {
      yield { line, ...read.problem };
      return;
    }
    if (!declared) {
      declared = declaredDelimiter(read.text);
      if (declared) continue;
    }
    const found = parseHeader(read.text, declared);
    if ("error" in found) {
      yield { line, ...reason(found.error, found.values) };
      return;
    }
    header = found;
  }
}

/** The codes of a CSV file, as far as its lines can be read. */
export async function* readKeyFile(source: AsyncIterable<Buffer>): AsyncGenerator<{ key: string }> {
  for await (const row of readRows(source, { confirmHeld: true })) if ("key" in row) yield { key: row.key };
}

export async function* listRows(
  { planId, keys, redeemBy }: KeyList,
  checks: KeyChecks,
): AsyncGenerator<KeyRow | KeyImportError> {
  for (const [index, key] of keys.entries())
    yield checkRow({ line: index + 1, plan: { planId }, text: key, redeem: redeemBy ?? "" }, checks);
}

type KeyChecks = Pick<KeyImportOptions, "confirmHeld">;
type FileLine = { line: number } & ({ text: string; problem?: undefined } | { problem: Reason });

function parseRow(
  { line, ...read }: FileLine,
  { columns, delimiter }: KeyHeader,
  checks: KeyChecks,
): KeyRow | KeyImportError {
  const reject = (error: ErrorName, values?: ErrorParams) => ({ line, ...reason(error, values) });
  if (read.problem !== undefined) return { line, ...read.problem };
  const parsed = parseFields(read.text, delimiter);
  if (!parsed) return reject("key_csv");
  const fields = withoutBlankEnd(parsed, columns.length);
  const lacksRedeemBy = fields.length === columns.length - 1 && columns.at(-1) === "redeem_by";
  if (fields.length !== columns.length && !lacksRedeemBy)
    return reject("key_fields", { found: fields.length, expected: columns.length });
  const row: CsvRow = Object.fromEntries(columns.map((name, index) => [name, fields[index] ?? ""]));
  const { product = "", plan = "", plan_id, key = "", redeem_by = "" } = row;
  if (plan_id !== undefined) {
    const planId = parsePlanId(plan_id);
    if (planId === null) return reject("key_plan_id");
    return checkRow({ line, plan: { planId }, text: key, redeem: redeem_by }, checks);
  }
  if (!product) return reject("key_product_missing");
  const kind = parsePlanKind(plan);
  if (!kind) return reject("key_plan", { plans: PASS_TYPES.join(", ") });
  return checkRow({ line, plan: { product, kind }, text: key, redeem: redeem_by }, checks);
}

type TypedKey = { line: number; plan: PlanName; text: string; redeem: string };

function checkRow(
  { line, plan, text, redeem }: TypedKey,
  { confirmHeld }: KeyChecks,
): KeyRow | KeyImportError {
  const reject = (error: ErrorName, values?: ErrorParams) => ({ line, ...reason(error, values) });
  const key = dropInvisible(text).trim();
  const normalized = normalizeKey(key);
  const damage = spreadsheetDamage(key);
  if (damage === "certain") return reject("code_spreadsheet");
  if (key.length > KEY_MAX || normalized.length < KEY_MIN)
    return reject("key_length", { min: KEY_MIN, max: KEY_MAX });
  // Characters that cannot be typed, except letters that are merely not drawn.
  if (/[\p{Cc}\p{Cf}\p{Cn}\p{Cs}\uFFFD]/u.test(key.replace(/\s/gu, ""))) return reject("key_characters");
  const form = codeForm(key);
  if (form === "none") return reject("key_none");
  if (damage && !confirmHeld) return reject("code_held");
  const redeemBy = redeem ? endOfDay(redeem) : null;
  if (redeemBy === undefined) return reject("key_redeem_by");
  const { fingerprint: print, lettersHash } = keyPrints(key);
  return { line, plan, key, print, lettersHash, redeemBy, isWeak: form === "weak" };
}
