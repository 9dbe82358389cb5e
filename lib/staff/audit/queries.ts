import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { type SQL, sql } from "drizzle-orm";
import { db, listDb } from "@/db/client";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { decodeCursor, encodeCursor } from "@/lib/platform/console/cursor";
import { MAX_COUNTED, PAGE_ROWS, WALKED_ROWS } from "@/lib/platform/console/list";
import { rowCount } from "@/lib/platform/console/query";
import { env } from "@/lib/platform/env";
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

const ID_VALUE = /^\d{1,15}$/;

/** The conditions of a list that an index serves, and those that are checked on each entry. */
async function planAudit({ actor, action, subject }: AuditInput, viewer: StaffViewer) {
  const indexed: SQL[] = [];
  const filters: SQL[] = [];
  const ownOnly = seesOwnOnly(viewer.staff.roles, "audit.read");
  if (ownOnly) indexed.push(sql`e.actor = ${viewer.userId}`);
  if (actor !== undefined) indexed.push(sql`e.actor = ${await findActor(actor)}`);
  if (subject !== undefined) (indexed.length === 0 ? indexed : filters).push(sql`e.subject = ${subject}`);
  if (action !== undefined) filters.push(sql`starts_with(e.action, ${action})`);
  return { indexed, filters };
}

/** The actor behind an address: the id of its account; any other text is an actor itself. */
async function findActor(text: string): Promise<string> {
  const [user] = await db.execute<{ id: string }>(
    sql`select id from users where lower(email) = ${text.toLowerCase()}`,
  );
  return user?.id ?? text;
}

const allOf = (conditions: SQL[]) => (conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`);

type AuditRow = Omit<AuditEntryView, "at" | "entry_id" | "position"> & {
  entry_id: string;
  at: string;
  position: string | null;
  is_hit: boolean;
  /** the last entry that was walked */
  is_end: boolean;
};

/**
 * A page of the audit log, newest first; a statement reads at most 2,100 rows. Support and catalogue see what they did
 * themselves.
 * @throws ShopError cursor_invalid
 */
export async function listAudit(viewer: StaffViewer, input: AuditInput): Promise<AuditList> {
  const after = decodeCursor(input.cursor, input, [ID_VALUE]);
  const { indexed, filters } = await planAudit(input, viewer);
  const walked = filters.length > 0 ? WALKED_ROWS : PAGE_ROWS + 1;
  const start = after ? [sql`e.id < ${after[0]}::bigint`] : [];
  const rows = await listDb.execute<AuditRow>(sql`
    with walked as materialized (
      select e.*, row_number() over (order by e.id desc) as place from audit_entries e
      where ${allOf([...indexed, ...start])} order by e.id desc limit ${rowCount(walked)}),
    hits as (select e.id from walked e where ${allOf(filters)} order by e.id desc limit ${rowCount(PAGE_ROWS + 1)})
    select e.id::text as entry_id, e.created_at as at, coalesce(u.email, e.actor) as actor, e.action, e.subject, a.email as subject_name, e.detail,
      s.position::text as position, h.id is not null as is_hit, e.place = ${walked} and ${filters.length > 0} as is_end
    from walked e left join hits h on h.id = e.id left join users u on u.id = e.actor left join users a on a.id = e.subject
      left join audit_seals s on s.entry_id = e.id
    where h.id is not null or (e.place = ${walked} and ${filters.length > 0})
    order by e.id desc`);
  const hits = rows.filter(({ is_hit }) => is_hit);
  const items = hits.slice(0, PAGE_ROWS);
  const isLast = hits.length <= PAGE_ROWS;
  const end = isLast ? rows.find(({ is_end }) => is_end) : undefined;
  const next = isLast ? end?.entry_id : items.at(-1)?.entry_id;
  return {
    items: items.map(toView),
    next_cursor: next ? encodeCursor(input, [next]) : null,
    ...(await countEntries(indexed, filters)),
    looked_back_to: end ? new Date(end.at).toISOString() : null,
    chain: await findChainState(),
  };
}

const toView = ({ entry_id, at, position, is_hit: _, is_end: __, ...entry }: AuditRow): AuditEntryView => ({
  ...entry,
  entry_id: Number(entry_id),
  at: new Date(at).toISOString(),
  position: position === null ? null : Number(position),
});

async function countEntries(indexed: SQL[], filters: SQL[]) {
  const limit = filters.length > 0 ? WALKED_ROWS : MAX_COUNTED + 1;
  const [row] = await listDb.execute<{ total: number; read: number }>(sql`
    select count(*) filter (where ${allOf(filters)})::int as total, count(*)::int as read
    from (select * from audit_entries e where ${allOf(indexed)} order by e.id desc limit ${rowCount(limit)}) e`);
  const { total = 0, read = 0 } = row ?? {};
  return { total: Math.min(total, MAX_COUNTED), total_exact: total <= MAX_COUNTED && read < limit };
}

type ChainRow = { position: string; sealed_at: string; waiting: number };

/** The newest seal, and how many entries wait for one, counted to 1,000. */
async function findChainState(): Promise<AuditList["chain"]> {
  const [row] = await listDb.execute<ChainRow>(sql`
    select s.position::text as position, s.created_at as sealed_at,
      (select count(*)::int from (select from audit_entries e where e.id > s.entry_id limit ${rowCount(MAX_COUNTED)}) w) as waiting
    from audit_seals s order by s.position desc limit 1`);
  if (!row) return null;
  const sealedAt = new Date(row.sealed_at).toISOString();
  return { position: Number(row.position), sealed_at: sealedAt, waiting: row.waiting };
}

export type AuditProblem = {
  /** null when the problem concerns the chain */
  entryId: number | null;
  kind: "hash" | "gap" | "lost_entry" | "unsealed" | "head" | "heads_missing";
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
  if (heads === null && headsFile) tell(null, "heads_missing", `There is no file ${headsFile}.`);
  const headsByPosition = new Map((heads ?? []).map((head) => [head.position, head]));
  report.heads = headsByPosition.size;
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
      const head = headsByPosition.get(position);
      if (head && (head.hash !== seal.hash || head.entry_id !== entryId))
        tell(entryId, "head", `The seal ${position} differs from the head that was copied off the database.`);
      headsByPosition.delete(position);
      previous = seal.hash;
    }
    if (seals.length < BATCH) break;
  }
  for (const head of headsByPosition.values())
    tell(head.entry_id, "head", `The copied head ${head.position} has no seal: the chain was cut.`);
  const [count] = await db.execute<{ entries: number }>(
    sql`select count(*)::int as entries from audit_entries`,
  );
  report.entries = count?.entries ?? 0;
  for (const { id, action } of await readOverdueEntries())
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
