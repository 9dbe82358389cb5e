import { sql } from "drizzle-orm";
import { db, listDb } from "@/db/client";
import { seesOwnOnly } from "@/lib/platform/auth/permissions";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { MAX_COUNTED } from "@/lib/platform/console/count";
import { TEXT_PATTERN } from "@/lib/platform/console/cursor";
import { WALKED_ROWS } from "@/lib/platform/console/list";
import {
  actorSql,
  type ConsoleListQuery,
  isValue,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  rowCount,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import { foldOrderNumber } from "@/lib/platform/fold-text";
import { instant } from "@/lib/platform/instant";
import { pastedEmail } from "@/lib/platform/mail/address";
import type { AuditEntryView, AuditInput, AuditList } from "@/lib/staff/audit/contract";

const BY_ID: readonly SortKey[] = [{ value: sql`e.id`, type: "bigint", pattern: /^\d{1,15}$/ }];
const ACTOR: SortKey = { value: sql`e.actor`, type: "text", pattern: TEXT_PATTERN };
const SUBJECT: SortKey = { value: sql`e.subject`, type: "text", pattern: TEXT_PATTERN };

/** Reads entries by actor, by subject, or the newest. */
async function auditListQuery(
  { actor, action, subject }: AuditInput,
  viewer: StaffViewer,
): Promise<ConsoleListQuery> {
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

/**
 * The subject behind an order's number, an account's address or whole name, or a merchant's handle: its id; any other text
 * is a subject itself.
 */
async function findSubject(text: string): Promise<string> {
  const [found] = await db.execute<{ id: string | null }>(sql`
    select coalesce((select id from orders where order_number = ${foldOrderNumber(text)}),
      (select id from users where lower(email) = ${pastedEmail(text)}),
      (select id from users where lower(username) collate "C" = ${text.toLowerCase()} and deleted_at is null
        order by created_at, id limit 1),
      (select id from merchants where handle = ${text.toLowerCase()})) as id`);
  return found?.id ?? text;
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
  const query = await auditListQuery(input, viewer);
  const rows = await listDb.execute<AuditRow & RowMarks>(sql`
    with ${pageSql(query, input, SCREEN)}
    select w.id::text as entry_id, w.created_at as at, coalesce(u.email, w.actor) as actor, ${actorSql("w.actor", "u")} as "by",
      w.action, w.subject, coalesce((select a.email from users a where a.id = w.subject),
        (select o.order_number from orders o where o.id = w.subject), (select c.code from coupons c where c.id = w.subject)) as subject_name, w.detail,
      (select s.position::text from audit_seals s where s.entry_id = w.id) as position, ${ROW_MARKS}
    from page w left join lateral (select email, username from users where id = w.actor offset 0) u on true order by w.place`);
  const { items, ...page } = await toPage(query, input, SCREEN, rows, toView);
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
