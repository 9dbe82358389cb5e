import { parse } from "csv-parse/sync";
import { sql } from "drizzle-orm";
import { type Db, db, type Tx, transaction } from "@/db/client";
import { PASS_DAYS, PASS_TYPES, type PassType } from "@/lib/catalog/rules";
import { normalizeKey } from "@/lib/delivery/rules";
import { readLines } from "@/lib/platform/content/lines";
import { newId } from "@/lib/platform/crypto/ids";
import { fingerprint, seal } from "@/lib/platform/crypto/vault";

/** Why a line was refused. Quotes nothing of the line, which could be the key when columns are mixed up. */
export type KeyImportError = { line: number; message: string };
/** `unchanged`: the key exists already, for the same plan. */
export type KeyImportCounts = { added: number; unchanged: number; refused: number };

export type KeyImportOptions = {
  /** Reports what would happen and writes nothing. */
  preview?: boolean;
  /**
   * Called in the transaction that stores keys, with the plans that received some, because orders may wait for them.
   */
  onStock: (tx: Tx, planIds: number[]) => Promise<void>;
  onRefused?: (refusal: KeyImportError) => void;
  /** Called after each batch. */
  onProgress?: (counts: KeyImportCounts) => void;
  /** The importer for custody: `import`, or a user's id. */
  actor?: string;
};

const COLUMNS = ["product", "plan", "key", "redeem_by"] as const;
type Row = Record<(typeof COLUMNS)[number], string>;
type Ready = {
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
 * redeem_by (optional). Streaming, one decision per line; the same file twice changes nothing. A key text is accepted
 * once, regardless of case, width and spacing; a key of another plan is only reported as "already imported".
 */
export async function importKeys(
  source: AsyncIterable<Buffer>,
  options: KeyImportOptions,
): Promise<KeyImportCounts> {
  if (!options.preview) return importInto(db, source, options);
  let counts: KeyImportCounts | undefined;
  const stop = new Error("preview");
  try {
    await transaction(async (tx) => {
      counts = await importInto(tx, source, { ...options, onStock: async () => {} });
      throw stop;
    });
  } catch (error) {
    if (error !== stop || !counts) throw error;
  }
  return counts as KeyImportCounts;
}

async function importInto(
  parent: Db,
  source: AsyncIterable<Buffer>,
  options: KeyImportOptions,
): Promise<KeyImportCounts> {
  const counts: KeyImportCounts = { added: 0, unchanged: 0, refused: 0 };
  const seen = new Map<string, number>();
  let header: string[] | undefined;
  let batch: Ready[] = [];
  const refuse = (refusal: KeyImportError) => {
    counts.refused += 1;
    options.onRefused?.(refusal);
  };
  const flush = async () => {
    if (batch.length === 0) return;
    const outcomes = await transaction((tx) => writeKeys(tx, batch, options), { within: parent });
    for (const outcome of outcomes)
      if (typeof outcome === "string") counts[outcome] += 1;
      else refuse(outcome);
    batch = [];
    options.onProgress?.(counts);
  };
  for await (const line of readLines(source, LINE_LIMIT_BYTES)) {
    if (line.problem === undefined && line.text.trim() === "") continue;
    const fields = line.problem === undefined ? fieldsOf(line.text) : null;
    if (!header) {
      header = headerOf(fields);
      if (header) continue;
      refuse({
        line: line.number,
        message: "The first line must name the columns: product,plan,key,redeem_by.",
      });
      return counts;
    }
    const read = readRow(line.number, line.problem, fields, header);
    const twin = "print" in read && seen.get(read.print);
    if ("message" in read) refuse(read);
    else if (twin) refuse({ line: line.number, message: `The key repeats that of line ${twin}.` });
    else {
      seen.set(read.print, line.number);
      batch.push(read);
    }
    if (batch.length >= BATCH_LINES) await flush();
  }
  await flush();
  return counts;
}

/**
 * The fields of a CSV line, or null when it is invalid. The parser's message may quote the line, so it is dropped.
 */
function fieldsOf(text: string): string[] | null {
  try {
    const [fields, ...more] = parse(text, { relax_column_count: true, trim: true }) as string[][];
    return fields && more.length === 0 ? fields : null;
  } catch {
    return null;
  }
}

function headerOf(fields: string[] | null): string[] | undefined {
  const names = fields?.map((name) => name.toLowerCase());
  const fits =
    names?.every(
      (name, index) => (COLUMNS as readonly string[]).includes(name) && names.indexOf(name) === index,
    ) && ["product", "plan", "key"].every((name) => names.includes(name));
  return fits ? names : undefined;
}

function readRow(
  line: number,
  problem: string | undefined,
  fields: string[] | null,
  header: string[],
): Ready | KeyImportError {
  const no = (message: string): KeyImportError => ({ line, message });
  if (problem) return no(problem);
  if (!fields) return no("The line is not CSV: a quotation mark is missing or out of place.");
  const lacksRedeemBy = fields.length === header.length - 1 && header.at(-1) === "redeem_by";
  if (fields.length !== header.length && !lacksRedeemBy)
    return no(`The line has ${fields.length} fields, the header has ${header.length}.`);
  const row = Object.fromEntries(header.map((name, index) => [name, fields[index] ?? ""])) as Row;
  if (!row.product) return no("The product is missing.");
  const kind = kindOf(row.plan);
  if (!kind) return no(`The plan must be one of ${PASS_TYPES.join(", ")}, or with its days, as in day:3.`);
  const key = row.key.trim();
  const bare = normalizeKey(key);
  if (key.length > KEY_MAX || bare.length < KEY_MIN)
    return no(`A key has ${KEY_MIN} to ${KEY_MAX} characters, spaces not counted.`);
  // Invisible characters would make two keys of one.
  if (/[\p{Cc}\p{Cf}\p{Cn}\p{Cs}\uFFFD]/u.test(key.replace(/\s/gu, "")))
    return no("The key has characters in it that cannot be typed.");
  const redeemBy = row.redeem_by ? lastMomentOf(row.redeem_by) : null;
  if (redeemBy === undefined) return no("redeem_by must be a date such as 2027-12-31.");
  return { line, product: row.product, kind, key, print: fingerprint(bare), redeemBy };
}

/** `day` → `day:1`, `day:3`, `lifetime`; null when it is no plan. */
function kindOf(plan: string): string | null {
  const [, type, days] = /^([a-z]+)(?::([1-9]\d{0,4}))?$/.exec(plan.toLowerCase()) ?? [];
  if (!(PASS_TYPES as readonly (string | undefined)[]).includes(type)) return null;
  const usual = PASS_DAYS[type as PassType];
  if (usual === null) return days ? null : (type ?? null);
  return `${type}:${days ?? usual}`;
}

/** The last second of a day in UTC; undefined for an invalid date. */
function lastMomentOf(day: string): Date | undefined {
  const moment = new Date(`${day}T23:59:59Z`);
  const valid = /^\d{4}-\d{2}-\d{2}$/.test(day) && moment.toISOString?.().startsWith(day);
  return valid ? moment : undefined;
}

type Outcome = "added" | "unchanged" | KeyImportError;
type Known = {
  now: string;
  plans: { id: number; product: string; kind: string }[];
  prints: Record<string, number>;
};

async function writeKeys(
  tx: Tx,
  batch: Ready[],
  { onStock, actor = "import" }: KeyImportOptions,
): Promise<Outcome[]> {
  const known = await knownOf(tx, batch);
  const now = new Date(known.now);
  const outcomes = new Map<Ready, Outcome>();
  const wanted = new Map<string, { ready: Ready; planId: number }>();
  for (const ready of batch) {
    const plans = known.plans.filter(({ product }) => product === ready.product);
    const plan = plans.find(({ kind }) => kind === ready.kind);
    const there = known.prints[ready.print];
    const no = (message: string) => outcomes.set(ready, { line: ready.line, message });
    if (plans.length === 0) no("There is no such product.");
    else if (!plan) no(`The product has no such plan; it has ${plans.map(({ kind }) => kind).join(", ")}.`);
    else if (there !== undefined) {
      if (there === plan.id) outcomes.set(ready, "unchanged");
      else no("The key is already imported.");
    } else if (ready.redeemBy && ready.redeemBy <= now) no("redeem_by is in the past.");
    else wanted.set(ready.print, { ready, planId: plan.id });
  }
  const stored = await insertKeys(tx, [...wanted.values()], actor);
  for (const [print, { ready }] of wanted)
    outcomes.set(
      ready,
      stored.has(print) ? "added" : { line: ready.line, message: "The key is already imported." },
    );
  const planIds = [
    ...new Set([...wanted].filter(([print]) => stored.has(print)).map(([, { planId }]) => planId)),
  ];
  if (planIds.length > 0)
    await onStock(
      tx,
      planIds.sort((a, b) => a - b),
    );
  return batch.map((ready) => outcomes.get(ready) ?? "unchanged");
}

const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`;

async function knownOf(tx: Tx, batch: Ready[]): Promise<Known> {
  const slugs = [...new Set(batch.map(({ product }) => product))];
  const [row] = await tx.execute<Known>(sql`
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
async function insertKeys(
  tx: Tx,
  wanted: { ready: Ready; planId: number }[],
  actor: string,
): Promise<Set<string>> {
  if (wanted.length === 0) return new Set();
  const rows = wanted.map(({ ready, planId }) => {
    const id = newId("key");
    const { sealed, vaultKeyId } = seal(id, ready.key);
    const redeem_by = ready.redeemBy;
    return {
      id,
      plan_id: planId,
      sealed: sealed.toString("base64"),
      vault: vaultKeyId,
      print: ready.print,
      redeem_by,
    };
  });
  // Inserts in a fixed order, so that parallel imports of the same keys cannot deadlock.
  const stored = await tx.execute<{ fingerprint: string }>(sql`
    with stored as (
      insert into keys (id, plan_id, sealed, vault_key_id, fingerprint, redeem_by)
      select id, plan_id, decode(sealed, 'base64'), vault, print, redeem_by
      from jsonb_to_recordset(${json(rows)})
        as r(id text, plan_id int, sealed text, vault text, print text, redeem_by timestamptz)
      order by print
      on conflict (fingerprint) do nothing
      returning id, fingerprint),
    events as (insert into key_events (key_id, event, actor) select id, 'imported', ${actor} from stored)
    select fingerprint from stored`);
  return new Set(stored.map(({ fingerprint: print }) => print));
}
