import { sql } from "drizzle-orm";
import { type Db, db, type Tx, transaction } from "@/db/client";
import { PASS_DAYS, PASS_TYPES, type PassType } from "@/lib/catalog/rules";
import { normalizeKey } from "@/lib/delivery/rules";
import { readLines } from "@/lib/platform/content/lines";
import { newId } from "@/lib/platform/crypto/ids";
import { fingerprint, seal } from "@/lib/platform/crypto/vault";
import { type Reason, reason } from "@/lib/platform/error-messages";
import type { ErrorName, ErrorParams } from "@/lib/platform/errors";
import { parseFields } from "./rules";

/** Why a line was rejected. Never quotes the line, which may contain the key when columns are mixed up. */
export type KeyImportError = { line: number } & Reason;
/** `unchanged`: the key exists already, for the same plan. */
export type KeyImportCounts = { added: number; unchanged: number; refused: number };

export type KeyImportOptions = {
  /** Reports the results without writing or locking anything, so that other imports go on. */
  preview?: boolean;
  /** Who imports, for the custody of each key; a staff member's id. */
  actor?: string;
  /**
   * Called in the transaction that stores keys, with the plans that received some, because orders may wait for them.
   */
  onStock: (tx: Tx, planIds: number[]) => Promise<void>;
  onRefused?: (rejection: KeyImportError) => void;
  onProgress?: (counts: KeyImportCounts) => void;
};

const COLUMNS = ["product", "plan", "key", "redeem_by"] as const;
type CsvRow = Record<(typeof COLUMNS)[number], string>;
type ParsedRow = {
  line: number;
  product: string;
  kind: string;
  key: string;
  print: string;
  redeemBy: Date | null;
};

const LINE_LIMIT_BYTES = 8 * 1024;
const BATCH_LINES = 500;
const KEY_MIN = 4;
const KEY_MAX = 500;

/**
 * Imports activation codes from CSV (docs/product.md#812-imports): columns product, plan (`month` or `day:3`), key,
 * redeem_by (optional). Streams the file and decides per line; importing a file twice changes nothing. A key is
 * imported once, regardless of case, width and spacing; a key of another plan is reported as "already imported" only.
 */
export async function importKeys(
  source: AsyncIterable<Buffer>,
  options: KeyImportOptions,
): Promise<KeyImportCounts> {
  const counts: KeyImportCounts = { added: 0, unchanged: 0, refused: 0 };
  const seen = new Map<string, number>();
  let header: string[] | undefined;
  let batch: ParsedRow[] = [];
  const refuse = (rejection: KeyImportError) => {
    counts.refused += 1;
    options.onRefused?.(rejection);
  };
  const flush = async () => {
    if (batch.length === 0) return;
    const results = options.preview
      ? listResults(batch, decideRows(await findExisting(db, batch), batch).results)
      : await transaction((tx) => writeKeys(tx, batch, options));
    for (const result of results)
      if (typeof result === "string") counts[result] += 1;
      else refuse(result);
    batch = [];
    options.onProgress?.(counts);
  };
  for await (const line of readLines(source, LINE_LIMIT_BYTES)) {
    if (line.problem === undefined && line.text.trim() === "") continue;
    const fields = line.problem === undefined ? parseFields(line.text) : null;
    if (!header) {
      header = parseHeader(fields);
      if (header) continue;
      refuse({ line: line.number, ...reason("key_header") });
      return counts;
    }
    const parsed = parseRow(line.number, line.problem, fields, header);
    const duplicateLine = "print" in parsed && seen.get(parsed.print);
    if ("message" in parsed) refuse(parsed);
    else if (duplicateLine) refuse({ line: line.number, ...reason("key_repeated", { line: duplicateLine }) });
    else {
      seen.set(parsed.print, line.number);
      batch.push(parsed);
    }
    if (batch.length >= BATCH_LINES) await flush();
  }
  await flush();
  return counts;
}

function parseHeader(fields: string[] | null): string[] | undefined {
  const names = fields?.map((name) => name.toLowerCase());
  const fits =
    names?.every(
      (name, index) => (COLUMNS as readonly string[]).includes(name) && names.indexOf(name) === index,
    ) && ["product", "plan", "key"].every((name) => names.includes(name));
  return fits ? names : undefined;
}

function parseRow(
  line: number,
  problem: Reason | undefined,
  fields: string[] | null,
  header: string[],
): ParsedRow | KeyImportError {
  const reject = (error: ErrorName, values?: ErrorParams): KeyImportError => ({
    line,
    ...reason(error, values),
  });
  if (problem) return { line, ...problem };
  if (!fields) return reject("key_csv");
  const lacksRedeemBy = fields.length === header.length - 1 && header.at(-1) === "redeem_by";
  if (fields.length !== header.length && !lacksRedeemBy)
    return reject("key_fields", { found: fields.length, expected: header.length });
  const row = Object.fromEntries(header.map((name, index) => [name, fields[index] ?? ""])) as CsvRow;
  if (!row.product) return reject("key_product_missing");
  const kind = parsePlan(row.plan);
  if (!kind) return reject("key_plan", { plans: PASS_TYPES.join(", ") });
  const key = row.key.trim();
  const normalized = normalizeKey(key);
  if (key.length > KEY_MAX || normalized.length < KEY_MIN)
    return reject("key_length", { min: KEY_MIN, max: KEY_MAX });
  // Invisible characters would make equal-looking keys different.
  if (/[\p{Cc}\p{Cf}\p{Cn}\p{Cs}\uFFFD]/u.test(key.replace(/\s/gu, ""))) return reject("key_characters");
  const redeemBy = row.redeem_by ? endOfDay(row.redeem_by) : null;
  if (redeemBy === undefined) return reject("key_redeem_by");
  return { line, product: row.product, kind, key, print: fingerprint(normalized), redeemBy };
}

/** `day` → `day:1`, `day:3`, `lifetime`; null when it is no plan. */
function parsePlan(plan: string): string | null {
  const [, type, days] = /^([a-z]+)(?::([1-9]\d{0,4}))?$/.exec(plan.toLowerCase()) ?? [];
  if (!(PASS_TYPES as readonly (string | undefined)[]).includes(type)) return null;
  const defaultDays = PASS_DAYS[type as PassType];
  if (defaultDays === null) return days ? null : (type ?? null);
  return `${type}:${days ?? defaultDays}`;
}

/** The last second of a day in UTC; undefined for an invalid date. */
function endOfDay(day: string): Date | undefined {
  const moment = new Date(`${day}T23:59:59Z`);
  const valid = /^\d{4}-\d{2}-\d{2}$/.test(day) && moment.toISOString?.().startsWith(day);
  return valid ? moment : undefined;
}

type RowResult = "added" | "unchanged" | KeyImportError;
type ExistingRows = {
  now: string;
  plans: { id: number; product: string; kind: string }[];
  prints: Record<string, number>;
};

type NewKeys = Map<string, { row: ParsedRow; planId: number }>;

/** The results of a batch, by what is stored already; keys to be stored count as added. */
function decideRows(existing: ExistingRows, batch: ParsedRow[]) {
  const now = new Date(existing.now);
  const results = new Map<ParsedRow, RowResult>();
  const newKeys: NewKeys = new Map();
  for (const row of batch) {
    const plans = existing.plans.filter(({ product }) => product === row.product);
    const plan = plans.find(({ kind }) => kind === row.kind);
    const existingPlanId = existing.prints[row.print];
    const reject = (error: ErrorName, values?: ErrorParams) =>
      results.set(row, { line: row.line, ...reason(error, values) });
    if (plans.length === 0) reject("key_product");
    else if (!plan) reject("key_plan_unknown", { plans: plans.map(({ kind }) => kind).join(", ") });
    else if (existingPlanId !== undefined) {
      if (existingPlanId === plan.id) results.set(row, "unchanged");
      else reject("key_known");
    } else if (row.redeemBy && row.redeemBy <= now) reject("key_expired");
    else {
      results.set(row, "added");
      newKeys.set(row.print, { row, planId: plan.id });
    }
  }
  return { results, newKeys };
}

const listResults = (batch: ParsedRow[], results: Map<ParsedRow, RowResult>) =>
  batch.map((row) => results.get(row) ?? "unchanged");

async function writeKeys(tx: Tx, batch: ParsedRow[], { onStock, actor = "import" }: KeyImportOptions) {
  const { results, newKeys } = decideRows(await findExisting(tx, batch), batch);
  const stored = await insertKeys(tx, [...newKeys.values()], actor);
  const planIds = new Set<number>();
  for (const [print, { row, planId }] of newKeys) {
    if (stored.has(print)) planIds.add(planId);
    else results.set(row, { line: row.line, ...reason("key_known") });
  }
  const sortedPlanIds = [...planIds].sort((a, b) => a - b);
  if (planIds.size > 0) await onStock(tx, sortedPlanIds);
  return listResults(batch, results);
}

const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`;

async function findExisting(tx: Db, batch: ParsedRow[]): Promise<ExistingRows> {
  const slugs = [...new Set(batch.map(({ product }) => product))];
  const [row] = await tx.execute<ExistingRows>(sql`
    select to_json(shop_now()) as now,
      (select coalesce(json_agg(json_build_object('id', pl.id, 'product', p.slug,
          'kind', pl.type || coalesce(':' || pl.duration_days, '')) order by pl.position), '[]')
        from products p join plans pl on pl.product_id = p.id
        where p.slug in (select jsonb_array_elements_text(${json(slugs)}))) as plans,
      (select coalesce(json_object_agg(k.fingerprint, k.plan_id), '{}') from keys k where k.fingerprint in
        (select jsonb_array_elements_text(${json(batch.map(({ print }) => print))}))) as prints`);
  return row!;
}

/** Stores keys with their first custody event; returns the stored fingerprints. */
async function insertKeys(tx: Tx, newKeys: { row: ParsedRow; planId: number }[], actor: string) {
  if (newKeys.length === 0) return new Set();
  const rows = newKeys.map(({ row, planId }) => {
    const id = newId("key");
    const { sealed, vaultKeyId: vault } = seal(id, row.key);
    return { id, planId, sealed: sealed.toString("base64"), vault, print: row.print, redeemBy: row.redeemBy };
  });
  // Inserts in a fixed order, so that parallel imports of the same keys cannot deadlock.
  const stored = await tx.execute<{ fingerprint: string }>(sql`
    with stored as (
      insert into keys (id, plan_id, sealed, vault_key_id, fingerprint, redeem_by)
      select id, "planId", decode(sealed, 'base64'), vault, print, "redeemBy"
      from jsonb_to_recordset(${json(rows)})
        as r(id text, "planId" int, sealed text, vault text, print text, "redeemBy" timestamptz)
      order by print
      on conflict (fingerprint) do nothing
      returning id, fingerprint),
    events as (insert into key_events (key_id, event, actor) select id, 'imported', ${actor} from stored)
    select fingerprint from stored`);
  return new Set(stored.map(({ fingerprint: print }) => print));
}
