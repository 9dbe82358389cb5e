import { sql } from "drizzle-orm";
import { type Db, db, type Tx, transaction } from "@/db/client";
import { PASS_TYPES } from "@/lib/catalog/rules";
import { hasFormerFingerprints, keyPrints, printsOfKey } from "@/lib/delivery/fingerprints/queries";
import { normalizeKey } from "@/lib/delivery/rules";
import { type Delimiter, declaredDelimiter, isBlankRow } from "@/lib/platform/content/csv";
import { readLines } from "@/lib/platform/content/lines";
import { newId } from "@/lib/platform/crypto/ids";
import { seal } from "@/lib/platform/crypto/vault";
import { type Reason, reason } from "@/lib/platform/error-messages";
import type { ErrorName, ErrorParams } from "@/lib/platform/errors";
import { dropInvisible } from "@/lib/platform/fold-text";
import { spreadsheetDamage } from "@/lib/platform/imports/spreadsheet";
import {
  type CsvRow,
  endOfDay,
  KEY_MAX,
  KEY_MIN,
  type KeyHeader,
  parseFields,
  parseHeader,
  parsePlanId,
  parsePlanKind,
  withoutBlankEnd,
} from "./rules";
import { CODE_MIN, codeForm } from "./rules-form";

/** Why a line was refused. Never quotes the line, which may contain the key when columns are mixed up. */
export type KeyImportError = { line: number } & Reason;
/** `unchanged`: the key exists already, for the same plan. */
export type KeyImportCounts = { added: number; unchanged: number; refused: number };

/** Whose keys these are: only plans of this merchant exist for the import, and its keys belong to the batch. */
export type KeyOwner = {
  merchantId: string;
  /** Its keys of an earlier, unfinished import count as added. null: a preview */
  batchId: string | null;
  /** In a preview, codes of others count as new, so that it does not give them away, unless this is set. */
  knowsForeign?: boolean;
  /**
   * Counts codes of others among those to be stored, and returns how many of them may be refused by their line. After that
   * nothing more is taken. Negative: nothing is taken now.
   */
  limitForeign?: (tx: Tx, found: number) => Promise<number>;
};

export type KeyImportOptions = {
  /** Reports the results without writing or locking anything, so that other imports go on. */
  preview?: boolean;
  /** Who imports, for the custody of each key: a staff member's id, or who acts for a merchant. */
  actor?: string;
  owner?: KeyOwner;
  /** Takes codes that look like numbers or dates of a spreadsheet, because somebody has compared them with the original. */
  confirmHeld?: boolean | undefined;
  /**
   * Called in the transaction that stores keys, with the plans that received some, because orders may wait for them.
   */
  onStock: (tx: Tx, planIds: number[]) => Promise<void>;
  onRefused?: (rejection: KeyImportError) => void;
  onProgress?: (counts: KeyImportCounts) => void;
};

/** The plan of a line, by its product and kind or by its id. */
type PlanName = { product: string; kind: string; planId?: undefined } | { planId: number };
/** A key that may be imported; `line` is its number in the file or list. */
type KeyRow = {
  line: number;
  plan: PlanName;
  key: string;
  print: string;
  lettersHash: number;
  redeemBy: Date | null;
  /** It may be mistaken for a word, so that only a product takes it whose codes are so. */
  isWeak: boolean;
};

const LINE_LIMIT_BYTES = 8 * 1024;
const BATCH_LINES = 500;
const DAY_MS = 86_400_000;

/**
 * Imports activation codes from CSV (docs/product.md#812-imports): columns product, plan (`month` or `day:3`), key,
 * redeem_by (optional); plan_id in place of product and plan. Streams the file and decides per line; importing a file twice
 * changes nothing. A key is imported once, regardless of how it is written (`normalizeKey`); a key of another plan is reported as
 * "already imported" only.
 */
export const importKeys = (
  source: AsyncIterable<Buffer>,
  options: KeyImportOptions,
): Promise<KeyImportCounts> => importRows(readRows(source, options), options);

/** Keys of one plan, as programs send them: the number of a line is the place in the list. */
export type KeyList = { planId: number; keys: readonly string[]; redeemBy: string | null };

/** The same for a list of keys of one plan. */
export const importKeyList = (list: KeyList, options: KeyImportOptions): Promise<KeyImportCounts> =>
  importRows(listRows(list, options), options);

async function importRows(
  rows: AsyncIterable<KeyRow | KeyImportError>,
  options: KeyImportOptions,
): Promise<KeyImportCounts> {
  const counts: KeyImportCounts = { added: 0, unchanged: 0, refused: 0 };
  const seen = new Map<string, number>();
  let batch: KeyRow[] = [];
  const refuse = (rejection: KeyImportError) => {
    counts.refused += 1;
    options.onRefused?.(rejection);
  };
  const flush = async () => {
    if (batch.length === 0) return;
    const results = options.preview
      ? listResults(batch, decideRows(await findExisting(db, batch, options), batch, options).results)
      : await transaction((tx) => writeKeys(tx, batch, options));
    for (const result of results)
      if (typeof result === "string") counts[result] += 1;
      else refuse(result);
    batch = [];
    options.onProgress?.(counts);
  };
  for await (const row of rows) {
    const repeated = "print" in row && seen.get(row.print);
    if ("message" in row) refuse(row);
    else if (repeated) refuse({ line: row.line, ...reason("key_repeated", { line: repeated }) });
    else {
      seen.set(row.print, row.line);
      batch.push(row);
    }
    if (batch.length >= BATCH_LINES) await flush();
  }
  await flush();
  return counts;
}

/**
 * The lines of a CSV file: with commas, semicolons, tabs or bars, as spreadsheets write it. A file without a header has one,
 * refused line; cleared rows do not count.
 */
async function* readRows(
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

async function* listRows(
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

type RowResult = "added" | "unchanged" | KeyImportError;
type StoredKey = { plan: number; batch: string | null; own: boolean };
type ExistingRows = {
  now: string;
  plans: { id: number; product: string; kind: string; weak: boolean; margin: number }[];
  prints: Record<string, StoredKey>;
};

type NewKeys = Map<string, { row: KeyRow; planId: number }>;

/** The results of a batch, by what is stored already; keys to be stored count as added. */
function decideRows(existing: ExistingRows, batch: KeyRow[], { owner }: KeyImportOptions) {
  const now = new Date(existing.now);
  const results = new Map<KeyRow, RowResult>();
  const foreign = new Set<KeyRow>();
  const newKeys: NewKeys = new Map();
  for (const row of batch) {
    const reject = (error: ErrorName, values?: ErrorParams) =>
      results.set(row, { line: row.line, ...reason(error, values) });
    const plan = findPlan(existing, row.plan);
    const known = existing.prints[row.print];
    if ("message" in plan) results.set(row, { line: row.line, ...plan });
    else if (known && !known.own) {
      // Says neither that it is a code nor whose.
      reject("key_not_accepted");
      foreign.add(row);
    } else if (known) {
      if (known.plan !== plan.id) reject("key_known");
      else results.set(row, owner?.batchId && owner.batchId === known.batch ? "added" : "unchanged");
    } else if (row.isWeak && !plan.weak) reject("key_weak", { min: CODE_MIN });
    else if (row.redeemBy && row.redeemBy <= now) reject("key_expired");
    else if (row.redeemBy && row.redeemBy.getTime() - plan.margin * DAY_MS <= now.getTime())
      reject("key_redeem_soon", { days: plan.margin });
    else {
      results.set(row, "added");
      newKeys.set(row.print, { row, planId: plan.id });
    }
  }
  return { results, newKeys, foreign };
}

/** Takes nothing more once a batch has more codes of others than its owner may have. */
async function stopForeign(
  tx: Tx,
  batch: KeyRow[],
  { results, newKeys, foreign }: ReturnType<typeof decideRows>,
  { limitForeign }: KeyOwner,
): Promise<void> {
  let left = (await limitForeign?.(tx, foreign.size)) ?? foreign.size;
  for (const row of batch) {
    if (left < 0 || (left === 0 && foreign.size > 0)) {
      results.set(row, { line: row.line, ...reason("keys_stopped") });
      newKeys.delete(row.print);
    } else if (foreign.delete(row)) left -= 1;
  }
}

type ImportPlan = Pick<ExistingRows["plans"][number], "id" | "weak" | "margin">;

function findPlan({ plans }: ExistingRows, name: PlanName): ImportPlan | Reason {
  if (name.planId !== undefined)
    return plans.find(({ id }) => id === name.planId) ?? reason("key_plan_missing");
  const ofProduct = plans.filter(({ product }) => product === name.product);
  if (ofProduct.length === 0) return reason("key_product");
  const kinds = ofProduct.map(({ kind }) => kind).join(", ");
  return ofProduct.find(({ kind }) => kind === name.kind) ?? reason("key_plan_unknown", { plans: kinds });
}

const listResults = (batch: KeyRow[], results: Map<KeyRow, RowResult>) =>
  batch.map((row) => results.get(row) ?? "unchanged");

async function writeKeys(tx: Tx, batch: KeyRow[], options: KeyImportOptions) {
  const decided = decideRows(await findExisting(tx, batch, options), batch, options);
  if (options.owner) await stopForeign(tx, batch, decided, options.owner);
  const { results, newKeys } = decided;
  const stored = await insertKeys(tx, [...newKeys.values()], options);
  const planIds = new Set<number>();
  const late: KeyRow[] = [];
  for (const [print, { row, planId }] of newKeys)
    if (stored.has(print)) planIds.add(planId);
    else late.push(row);
  // Another import has stored these since they were looked up.
  if (late.length > 0) {
    const again = decideRows(await findExisting(tx, late, options), late, options);
    if (again.foreign.size > 0) await options.owner?.limitForeign?.(tx, again.foreign.size);
    for (const row of late)
      results.set(row, again.results.get(row) ?? { line: row.line, ...reason("key_known") });
  }
  const sortedPlanIds = [...planIds].sort((a, b) => a - b);
  if (planIds.size > 0) await options.onStock(tx, sortedPlanIds);
  return listResults(batch, results);
}

const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`;

/** The plans that a batch names, of the owner alone if there is one, and its keys that are stored. */
async function findExisting(
  tx: Db,
  batch: KeyRow[],
  { owner, preview }: KeyImportOptions,
): Promise<ExistingRows> {
  const slugs = batch.flatMap(({ plan }) => (plan.planId === undefined ? [plan.product] : []));
  const planIds = batch.flatMap(({ plan }) => (plan.planId === undefined ? [] : [plan.planId]));
  const prints = await printsByStored(tx, batch);
  const ofOwner = owner ? sql`and p.merchant_id = ${owner.merchantId}` : sql``;
  const isOwn = owner
    ? sql`exists (select from plans pl join products p on p.id = pl.product_id where pl.id = k.plan_id ${ofOwner})`
    : sql`true`;
  const onlyOwn = owner && preview && !owner.knowsForeign ? sql`and ${isOwn}` : sql``;
  const columns = sql`pl.id, pl.position, p.slug as product, pl.type || coalesce(':' || pl.duration_days, '') as kind, p.weak_keys as weak, sell_margin(pl) as margin`;
  const [row] = await tx.execute<ExistingRows>(sql`
    select to_json(shop_now()) as now,
      (select coalesce(json_agg(x order by x.position), '[]') from (
        select ${columns} from products p join plans pl on pl.product_id = p.id
        where p.slug in (select jsonb_array_elements_text(${json([...new Set(slugs)])})) ${ofOwner}
        union
        select ${columns} from plans pl join products p on p.id = pl.product_id
        where pl.id in (select n::int from jsonb_array_elements_text(${json([...new Set(planIds)])}) n) ${ofOwner}) x) as plans,
      (select coalesce(json_object_agg(k.fingerprint, json_build_object('plan', k.plan_id, 'batch', k.batch_id, 'own', ${isOwn})), '{}')
        from keys k where k.fingerprint in (select jsonb_array_elements_text(${json([...prints.keys()])})) ${onlyOwn}) as prints`);
  const known = Object.entries(row!.prints).map(([stored, key]) => [prints.get(stored)!, key]);
  return { ...row!, prints: Object.fromEntries(known) };
}

/** The fingerprints under which the codes of a batch may be stored, each with that of its one form. */
async function printsByStored(tx: Db, batch: readonly KeyRow[]): Promise<Map<string, string>> {
  if (!(await hasFormerFingerprints(tx))) return new Map(batch.map(({ print }) => [print, print]));
  return new Map(
    batch.flatMap(({ key, print }) =>
      printsOfKey(key, { former: true }).map((stored): [string, string] => [stored, print]),
    ),
  );
}

/** Stores keys with their first custody event; returns the stored fingerprints. */
async function insertKeys(
  tx: Tx,
  newKeys: { row: KeyRow; planId: number }[],
  { actor = "import", owner }: KeyImportOptions,
) {
  if (newKeys.length === 0) return new Set();
  const rows = newKeys.map(({ row, planId }) => {
    const id = newId("key");
    const { sealed, vaultKeyId: vault } = seal(id, row.key);
    return {
      id,
      planId,
      sealed: sealed.toString("base64"),
      vault,
      print: row.print,
      letters: row.lettersHash,
      redeemBy: row.redeemBy,
    };
  });
  // Inserts in a fixed order, so that parallel imports of the same keys cannot deadlock.
  const stored = await tx.execute<{ fingerprint: string }>(sql`
    with stored as (
      insert into keys (id, plan_id, sealed, vault_key_id, fingerprint, letters_hash, redeem_by, batch_id)
      select id, "planId", decode(sealed, 'base64'), vault, print, letters, "redeemBy", ${owner?.batchId ?? null}
      from jsonb_to_recordset(${json(rows)})
        as r(id text, "planId" int, sealed text, vault text, print text, letters bigint, "redeemBy" timestamptz)
      order by print
      on conflict (fingerprint) do nothing
      returning id, fingerprint),
    events as (insert into key_events (key_id, event, actor) select id, 'imported', ${actor} from stored)
    select fingerprint from stored`);
  return new Set(stored.map(({ fingerprint: print }) => print));
}
