import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { db, listDb } from "@/db/client";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { MAX_COUNTED } from "@/lib/platform/console/count";
import { TEXT_PATTERN } from "@/lib/platform/console/cursor";
import { WALKED_ROWS } from "@/lib/platform/console/list";
import {
  actorSql,
  isValue,
  type ListPlan,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  rowCount,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import { env } from "@/lib/platform/env";
import { foldOrderNumber } from "@/lib/platform/fold-text";
import { instant } from "@/lib/platform/instant";
import { pastedEmail } from "@/lib/platform/mail/address";
import type { AuditEntryView, AuditInput, AuditList } from "@/lib/staff/audit/contract";
import { AUDIT_SEALED_WITHIN_MINUTES, seesOwnOnly } from "@/lib/staff/rules";
import { CHAIN_START, canonicalEntry, type SealedEntry } from "./rules";

/** SQL: the fields of an entry `e` that a seal contains. */
export const ENTRY_FIELDS_SQL =
  sql.raw(`e.id::text as id, e.actor, e.action, e.subject, e.detail::text as detail,
      to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`);

export const sealHash = (previous: string, position: number, entry: SealedEntry): string =>
  createHash("sha256")
    .update(canonicalEntry(previous, position, entry))
    .digest("hex");

/** The newest seal of a run, as it is copied off the database. */
export type ChainHead = { entry_id: number; position: number; hash: string };

const BY_ID: readonly SortKey[] = [{ value: sql`e.id`, type: "bigint", pattern: /^\d{1,15}$/ }];
const ACTOR: SortKey = { value: sql`e.actor`, type: "text", pattern: TEXT_PATTERN };
const SUBJECT: SortKey = { value: sql`e.subject`, type: "text", pattern: TEXT_PATTERN };

/** Reads entries by actor, by subject, or the newest. */
async function planAudit({ actor, action, subject }: AuditInput, viewer: StaffViewer): Promise<ListPlan> {
  const wanted: { key: SortKey; value: string }[] = [];
  if (seesOwnOnly(viewer.staff.roles, "audit.read")) wanted.push({ key: ACTOR, value: viewer.userId });
  if (actor !== undefined) wanted.push({ key: ACTOR, value: await findActor(actor) });
  if (subject !== undefined) wanted.push({ key: SUBJECT, value: await findSubject(subject) });
  const [first, ...others] = wanted;
  const filters = others.map(({ key, value }) => sql`${key.value} = ${value}`);
  if (action !== undefined) filters.push(sql`starts_with(e.action, ${action})`);
  return {
    from: sql`audit_entries e`,
    alias: sql`e`,
    columns: sql.raw("e.id, e.created_at, e.actor, e.action, e.subject, e.detail"),
    indexed: first ? [isValue(first.key, first.value)] : [],
    filters,
    walked: WALKED_ROWS,
    sort: first ? [first.key, ...BY_ID] : BY_ID,
    at: sql`e.created_at`,
  };
}

/** The actor behind an address: the id of its account; any other text is an actor itself. */
async function findActor(text: string): Promise<string> {
  const [user] = await db.execute<{ id: string }>(
    sql`select id from users where lower(email) = ${pastedEmail(text)}`,
  );
  return user?.id ?? text;
}

/** The subject behind an order's number: the order's id; any other text is a subject itself. */
async function findSubject(text: string): Promise<string> {
  const [order] = await db.execute<{ id: string }>(
    sql`select id from orders where order_number = ${foldOrderNumber(text)}`,
  );
  return order?.id ?? text;
}

type AuditRow = Omit<AuditEntryView, "entry_id" | "position" | "names"> & {
  entry_id: string;
  position: string | null;
};

/**
 * A page of the audit log, newest first; a statement reads at most 2,100 rows. Support and catalogue see what they did
 * themselves.
 * @throws ShopError cursor_invalid
 */
export async function listAudit(viewer: StaffViewer, input: AuditInput): Promise<AuditList> {
  const plan = await planAudit(input, viewer);
  const rows = await listDb.execute<AuditRow & RowMarks>(sql`
    with ${pageSql(plan, input, SCREEN)}
    select w.id::text as entry_id, w.created_at as at, coalesce(u.email, w.actor) as actor, ${actorSql("w.actor", "u")} as "by",
      w.action, w.subject, coalesce((select a.email from users a where a.id = w.subject),
        (select o.order_number from orders o where o.id = w.subject), (select c.code from coupons c where c.id = w.subject)) as subject_name, w.detail,
      (select s.position::text from audit_seals s where s.entry_id = w.id) as position, ${ROW_MARKS}
    from page w left join lateral (select email, username from users where id = w.actor offset 0) u on true order by w.place`);
  const { items, ...page } = await toPage(plan, input, SCREEN, rows, toView);
  const names = await readNames(items.flatMap(({ detail }) => idsIn(detail)));
  return {
    ...page,
    items: items.map((entry) => ({ ...entry, names: pickNames(names, idsIn(entry.detail)) })),
    chain: await findChainState(),
  };
}

/** Ids of a page's details that are looked up. */
const MAX_NAMES = 500;

/** The ids of accounts and orders among the values of a detail. */
const idsIn = (detail: unknown): string[] => [
  ...new Set(JSON.stringify(detail ?? null).match(/\b(?:usr|ord)_\w+/g) ?? []),
];

/** The addresses of accounts and the numbers of orders, by their ids. */
async function readNames(ids: readonly string[]): Promise<Map<string, string>> {
  const asked = [...new Set(ids)].slice(0, MAX_NAMES);
  if (asked.length === 0) return new Map();
  const rows = await listDb.execute<{ id: string; name: string }>(sql`
    select id, email as name from users where id = any(${sql.param(asked)}::text[])
    union all select id, order_number from orders where id = any(${sql.param(asked)}::text[])`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const pickNames = (names: ReadonlyMap<string, string>, ids: readonly string[]) =>
  Object.fromEntries(ids.flatMap((id) => (names.has(id) ? [[id, names.get(id)!]] : [])));

const toView = ({ entry_id, at, position, ...entry }: AuditRow): Omit<AuditEntryView, "names"> => ({
  ...entry,
  entry_id: Number(entry_id),
  at: instant(at),
  position: position === null ? null : Number(position),
});

type ChainRow = { position: string; sealed_at: string; waiting: number };

/** The newest seal, and how many entries wait for one, counted to 1,000. */
async function findChainState(): Promise<AuditList["chain"]> {
  const [row] = await listDb.execute<ChainRow>(sql`
    select s.position::text as position, s.created_at as sealed_at,
      (select count(*)::int from (select from audit_entries e where e.id > s.entry_id limit ${rowCount(MAX_COUNTED)}) w) as waiting
    from audit_seals s order by s.position desc limit 1`);
  if (!row) return null;
  const sealedAt = instant(row.sealed_at);
  return { position: Number(row.position), sealed_at: sealedAt, waiting: row.waiting };
}

export type AuditProblem = {
  /** null when the problem concerns the chain */
  entryId: number | null;
  kind: "hash" | "gap" | "lost_entry" | "unsealed" | "head" | "heads_differ" | "heads_missing";
  /** One sentence, in English. */
  message: string;
};
export type AuditReport = { entries: number; sealed: number; heads: number; problems: number };

type SealRow = Omit<SealedEntry, "id"> & {
  id: string | null;
  entry_id: string;
  position: string;
  hash: string;
};
const BATCH = 2_000;

/**
 * Verifies the audit log: recomputes every seal, and reports changed and removed entries, gaps, entries without a seal for
 * too long, and seals that differ from the heads that were copied off the database.
 */
export async function verifyAudit(
  onProblem: (problem: AuditProblem) => void,
  { headsFile = env().AUDIT_HEADS_FILE }: { headsFile?: string | undefined } = {},
): Promise<AuditReport> {
  const report: AuditReport = { entries: 0, sealed: 0, heads: 0, problems: 0 };
  const tell = (entryId: number | null, kind: AuditProblem["kind"], message: string) => {
    report.problems += 1;
    onProblem({ entryId, kind, message });
  };
  const heads = await readHeads(headsFile);
  const headsByPosition = groupHeads(heads ?? []);
  report.heads = [...headsByPosition.values()].reduce((count, { length }) => count + length, 0);
  for (const [position, [head, ...others]] of headsByPosition)
    if (head && others.length > 0)
      tell(
        head.entry_id,
        "heads_differ",
        `${others.length + 1} different heads of the position ${position} were copied: its seals were made again.`,
      );
  let previous = CHAIN_START;
  let position = 0;
  for (;;) {
    const seals = await readSeals(position);
    for (const seal of seals) {
      report.sealed += 1;
      const entryId = Number(seal.entry_id);
      const expected = position + 1;
      position = Number(seal.position);
      if (position !== expected) tell(entryId, "gap", `The seal ${position} follows ${expected - 1}.`);
      if (seal.id === null) tell(entryId, "lost_entry", `The sealed entry ${entryId} is gone.`);
      else if (seal.hash !== sealHash(previous, position, { ...seal, id: entryId }))
        tell(entryId, "hash", `The entry ${entryId} (${seal.action}) differs from the sealed one.`);
      const copied = headsByPosition.get(position);
      if (copied && !copied.some((head) => head.hash === seal.hash && head.entry_id === entryId))
        tell(entryId, "head", `The seal ${position} differs from the head that was copied off the database.`);
      headsByPosition.delete(position);
      previous = seal.hash;
    }
    if (seals.length < BATCH) break;
  }
  for (const head of [...headsByPosition.values()].flatMap(([first]) => first ?? []))
    tell(head.entry_id, "head", `The copied head ${head.position} has no seal: the chain was cut.`);
  const [count] = await db.execute<{ entries: number }>(
    sql`select count(*)::int as entries from audit_entries`,
  );
  report.entries = count?.entries ?? 0;
  const overdue = await readOverdueEntries();
  // A new shop has no head before its first seal.
  if (heads === null && headsFile && (report.sealed > 0 || overdue.length > 0))
    tell(null, "heads_missing", `There is no file ${headsFile}, into which the newest seals are copied.`);
  for (const { id, action } of overdue)
    tell(Number(id), "unsealed", `The entry ${id} (${action}) is not sealed.`);
  return report;
}

const readSeals = (after: number): Promise<SealRow[]> =>
  db.execute<SealRow>(sql`
    select s.entry_id::text as entry_id, s.position::text as position, s.hash, ${ENTRY_FIELDS_SQL}
    from audit_seals s left join audit_entries e on e.id = s.entry_id
    where s.position > ${after} order by s.position limit ${BATCH}`);

const readOverdueEntries = () =>
  db.execute<{ id: string; action: string }>(sql`
    select e.id::text as id, e.action from audit_entries e
    where e.created_at < shop_now() - make_interval(mins => ${AUDIT_SEALED_WITHIN_MINUTES})
      and not exists (select from audit_seals s where s.entry_id = e.id)
    order by e.id limit 1000`);

/**
 * The different heads of each position, as they were copied. A position has one, because a seal never changes; a second one
 * is of seals that were deleted and made again.
 */
function groupHeads(heads: readonly ChainHead[]): Map<number, ChainHead[]> {
  const byPosition = new Map<number, ChainHead[]>();
  for (const head of heads) {
    const copied = byPosition.get(head.position) ?? [];
    if (!copied.some(({ hash, entry_id }) => hash === head.hash && entry_id === head.entry_id))
      byPosition.set(head.position, [...copied, head]);
  }
  return byPosition;
}

/** The heads of a file; null: there is none. A line that was cut off is left out. */
async function readHeads(file: string | undefined): Promise<ChainHead[] | null> {
  if (!file || !existsSync(file)) return null;
  const lines = (await readFile(file, "utf8")).split("\n").filter(Boolean);
  return lines.flatMap((line) => {
    try {
      const { entry_id, position, hash } = JSON.parse(line) as ChainHead;
      return [{ entry_id, position, hash }];
    } catch {
      return [];
    }
  });
}
