import { type SQL, sql } from "drizzle-orm";
import { type Db, db, listDb, type Tx } from "@/db/client";
import { instant } from "@/lib/platform/instant";
import { addDays, zonedTime } from "@/lib/platform/zoned-day";
import { MAX_COUNTED } from "./count";
import { decodeCursor, encodeCursor } from "./cursor";
import { type DayRange, type ListPage, MAX_QUEUED, PAGE_ROWS, type QueueState } from "./list";
import { relativeDays } from "./relative-days";
import { requireShown } from "./shown";
import type { SeenVersion } from "./version";

/** A column that the list is sorted by, descending unless the list is `ascending`. `pattern`: the form of its value in a cursor. */
export type SortKey = { value: SQL; type: "timestamptz" | "text" | "int" | "bigint"; pattern: RegExp };

/** The query of a list: one index in its order, and conditions on each row that it finds. */
export type ConsoleListQuery = {
  /** The rows with their aliases, e.g. `orders o`. */
  from: SQL;
  /** The alias under which the filters find the columns, e.g. `o`. */
  alias: SQL;
  /** The columns that filters and the page need. */
  columns: SQL;
  /** Conditions that the index serves. */
  indexed: SQL[];
  /** Conditions without an index. */
  filters: SQL[];
  /** Rows that a request walks for the filters; null: there are none, so that every row counts. */
  walked: number | null;
  /** The order of the index; the id comes last. */
  sort: readonly SortKey[];
  /** The smallest values come first, as in a queue: the oldest, the next to be due. */
  ascending?: boolean;
  /** The time of a row, which says how far the list has looked. */
  at: SQL;
  /** Where the rows are counted, if not on the primary: `reportDb` for a report. */
  db?: Db;
};

/** How much a request reads: a page of a screen, or a part of an export. */
export type ListSize = { rows: number; walked: number | null; counted: boolean };
export const SCREEN: ListSize = { rows: PAGE_ROWS, walked: null, counted: true };
export const EXPORT: ListSize = { rows: 1_000, walked: 20_000, counted: false };

/** The columns of `page w` that hold the list's position. */
export type RowMarks = { is_hit: boolean; is_end: boolean; sort_values: string[]; row_at: string };
export const markColumns = (page: string): SQL =>
  sql.raw(["is_hit", "is_end", "sort_values", "row_at"].map((name) => `${page}.${name}`).join(", "));
/** The same of `page w`. */
export const ROW_MARKS = markColumns("w");

/** The direction of a list: what the reader chose, else its own. */
const isAscending = ({ ascending = false }: ConsoleListQuery, { sort }: { sort?: string | undefined }) =>
  sort === undefined ? ascending : sort === "oldest";

/**
 * SQL: a number of rows as a literal. The statements are prepared: with a parameter Postgres would not know how few rows a limit
 * leaves, and choose a plan that reads whole tables (docs/performance.md#prepared-statements).
 */
export const rowCount = (count: number): SQL => sql.raw(String(Math.trunc(count)));

/**
 * SQL: who did something, from an actor as it is stored: the address of an account, or the name of a merchant's token after
 * "API · ". Other actors are words of the shop, such as `system` or `vendor`.
 */
export const actorNameSql = (actor: string): SQL =>
  sql.raw(`coalesce((select named.email from users named where named.id = ${actor}),
    (select 'API · ' || token.name from api_tokens token where starts_with(${actor}, 'token:') and token.id = substr(${actor}, 7)), ${actor})`);

export const allOf = (conditions: readonly SQL[]): SQL =>
  conditions.length > 0 ? sql.join([...conditions], sql` and `) : sql`true`;

/** SQL: the conditions for a time of these days. */
export function daysSql(time: SQL, range: DayRange): SQL[] {
  const zone = range.time_zone ?? "UTC";
  const { from, to } = range.days ? relativeDays(range.days, new Date(), zone) : range;
  const start = (day: string) => sql`${zonedTime(day, 0, zone).toISOString()}::timestamptz`;
  return [
    ...(from === undefined ? [] : [sql`${time} >= ${start(from)}`]),
    ...(to === undefined ? [] : [sql`${time} < ${start(addDays(to, 1))}`]),
  ];
}

/** SQL: the beginning of a text by an index in the order of bytes. The text is in the index's case. */
export const prefixSql = (key: SQL, prefix: string): SQL =>
  sql`${key} >= ${prefix} and ${key} < ${prefix} || chr(1114111)`;

/**
 * SQL: a key has this value. Written as a range, with the key first in the list's order, so that only the index that begins with the
 * key gives that order; with `=` the planner may follow the order of the other keys through all rows.
 */
export const isValue = ({ value: key }: SortKey, value: string): SQL =>
  sql`${key} >= ${value} and ${key} <= ${value}`;

const textOf = ({ value, type }: SortKey) =>
  type === "timestamptz"
    ? sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
    : sql`(${value})::text`;
const orderOf = ({ sort, ascending }: ConsoleListQuery) =>
  sql.join(
    sort.map(({ value }) => (ascending ? value : sql`${value} desc`)),
    sql`, `,
  );
const walkedRows = ({ filters, walked }: ConsoleListQuery, size: ListSize) =>
  filters.length === 0 ? null : (size.walked ?? walked);

/**
 * The conditions of the rows after a cursor. The keys before the id stand alone too, so that an index of them finds the
 * rows where the id is of another table.
 */
function startOf({ sort, ascending }: ConsoleListQuery, after: string[] | null): SQL[] {
  if (!after) return [];
  const row = (parts: SQL[]) => sql`(${sql.join(parts, sql`, `)})`;
  const values = sort.map(({ type }, i) => sql`${after[i]}::${sql.raw(type)}`);
  const keys = sort.map(({ value }) => value);
  const [beyond, reaching] = ascending ? [sql`>`, sql`>=`] : [sql`<`, sql`<=`];
  const first =
    keys.length > 1 ? [sql`${row(keys.slice(0, -1))} ${reaching} ${row(values.slice(0, -1))}`] : [];
  return [...first, sql`${row(keys)} ${beyond} ${row(values)}`];
}

/**
 * SQL: the rows of a page as `page w`, for `with …`: those that match, one more, and the last one that was walked. The
 * columns of `w` are the plan's, with those of ROW_MARKS and `place`.
 * @throws ShopError cursor_invalid
 */
export function pageSql(
  declared: ConsoleListQuery,
  input: { cursor?: string | undefined; sort?: string | undefined },
  size: ListSize,
): SQL {
  const query = { ...declared, ascending: isAscending(declared, input) };
  const { from, alias, columns, indexed, filters, sort, at } = query;
  const patterns = sort.map(({ pattern }) => pattern);
  const start = startOf(query, decodeCursor(input.cursor, input, patterns));
  const walked = walkedRows(query, size);
  const isEnd = walked === null ? sql`false` : sql`w.place = ${rowCount(walked)}`;
  return sql`
    walked as materialized (
      select ${columns}, array[${sql.join(sort.map(textOf), sql`, `)}] as sort_values, ${at} as row_at,
        row_number() over (order by ${orderOf(query)})::int as place
      from ${from} where ${allOf([...indexed, ...start])} order by ${orderOf(query)} limit ${rowCount(walked ?? size.rows + 1)}),
    hits as (
      select ${alias}.place from walked ${alias} where ${allOf(filters)} order by ${alias}.place limit ${rowCount(size.rows + 1)}),
    page as (
      select w.*, h.place is not null as is_hit, ${isEnd} as is_end
      from walked w left join hits h on h.place = w.place where h.place is not null or ${isEnd})`;
}

/** A page of the rows that a statement over `page w` found, in the order of `w.place`, with the capped total. */
export async function toPage<Row extends RowMarks, Item>(
  query: ConsoleListQuery,
  input: { cursor?: string | undefined; sort?: string | undefined },
  size: ListSize,
  rows: readonly Row[],
  toItem: (row: Omit<Row, keyof RowMarks>) => Item,
): Promise<ListPage<Item>> {
  const hits = rows.filter(({ is_hit }) => is_hit);
  const items = hits.slice(0, size.rows);
  const hasMore = hits.length > size.rows;
  const end = hasMore ? undefined : rows.find(({ is_end }) => is_end);
  const last = hasMore ? items.at(-1) : end;
  return {
    items: items.map(({ is_hit, is_end, sort_values, row_at, ...row }) => toItem(row)),
    next_cursor: last ? encodeCursor(input, last.sort_values) : null,
    ...(size.counted
      ? await countRows({ ...query, ascending: isAscending(query, input) })
      : { total: items.length, total_exact: false }),
    looked_back_to: end ? instant(end.row_at) : null,
  };
}

/** The rows of a list, counted to MAX_COUNTED; where filters have no index, among the rows that a page walks. */
async function countRows(query: ConsoleListQuery) {
  const { from, alias, columns, indexed, filters, db: counted = listDb } = query;
  const walked = walkedRows(query, SCREEN);
  const part = sql`order by ${orderOf(query)} limit ${rowCount(walked ?? MAX_COUNTED + 1)}`;
  const [row] = await counted.execute<{ total: number; read: number }>(sql`
    select count(*) filter (where ${allOf(filters)})::int as total, count(*)::int as read
    from (select ${columns} from ${from} where ${allOf(indexed)} ${part}) ${alias}`);
  const { total = 0, read = 0 } = row ?? {};
  const isExact = total <= MAX_COUNTED && (walked === null || read < walked);
  return { total: Math.min(total, MAX_COUNTED), total_exact: isExact };
}

/** The number of rows of a list, counted to `limit` over all of them: for an export, not for a screen. */
export async function countAllRows(
  { from, alias, columns, indexed, filters }: ConsoleListQuery,
  limit: number,
) {
  const [row] = await db.execute<{ total: number }>(sql`
    select count(*)::int as total from (
      select from (select ${columns} from ${from} where ${allOf(indexed)}) ${alias} where ${allOf(filters)} limit ${rowCount(limit)}) counted`);
  return row!.total;
}

/**
 * SQL: an actor of the audit log or of a decision as `Actor` (./actor.ts). `id`: its column; `user`: the alias of `users`,
 * joined to it.
 */
export const actorSql = (id: string, user: string): SQL =>
  sql.raw(`jsonb_build_object('id', ${id}, 'email', ${user}.email, 'name', ${user}.username)`);

/** Counts what waits, to MAX_QUEUED. `rows`: a select of the time `at` of each, the oldest first, by an index. */
export async function countQueue(rows: SQL): Promise<QueueState> {
  const [row] = await db.execute<QueueState>(sql`
    select count(*)::int as count, min(at) as oldest_at from (${rows} limit ${MAX_QUEUED}) waiting`);
  const { count, oldest_at } = row!;
  return { count, oldest_at: instant(oldest_at) };
}

/** SQL: the version of something, a hash of all that people see of it. */
export const versionSql = (...values: SQL[]): SQL<string> =>
  sql`left(encode(sha256(convert_to(jsonb_build_array(${sql.join(values, sql`, `)})::text, 'UTF8')), 'hex'), 16)`;

/** What was shown of something: its version, and the SQL of it where the screen of a merchant or vendor shows other things than the console. */
export type Shown = SeenVersion & { sql?: SQL };

/**
 * Refuses a decision about what was rewritten since it was shown. `from`: a table with its condition, whose row the decider has
 * locked.
 * @throws ShopError revision_conflict
 */
export async function requireShownRow(
  tx: Tx,
  { version: seen }: SeenVersion,
  { version, from }: { version: SQL; from: SQL },
): Promise<void> {
  const [row] = await tx.execute<{ version: string }>(sql`select ${version} as version from ${from}`);
  requireShown(seen, row!.version);
}
