import { sql } from "drizzle-orm";
import { db, listDb } from "@/db/client";
import type {
  ConsoleApplication,
  ConsoleApplicationDetail,
  ConsoleApplicationList,
  ConsoleApplicationsInput,
} from "@/lib/merchants/console/contract";
import { applicationVersionSql } from "@/lib/merchants/find-application";
import { ID_PATTERN, TEXT_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import { type QueueState, WALKED_ROWS } from "@/lib/platform/console/list";
import {
  type ConsoleListQuery,
  countQueue,
  daysSql,
  isValue,
  type ListSize,
  pageSql,
  prefixSql,
  ROW_MARKS,
  type RowMarks,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import { instant } from "@/lib/platform/instant";

/** Addresses are stored in lower case. */
const EMAIL_KEY = sql`a.email collate "C"`;
const BY_TIME: readonly SortKey[] = [
  { value: sql`a.created_at`, type: "timestamptz", pattern: TIME_PATTERN },
  { value: sql`a.id`, type: "text", pattern: ID_PATTERN },
];
const BY_EMAIL: readonly SortKey[] = [{ value: EMAIL_KEY, type: "text", pattern: TEXT_PATTERN }, ...BY_TIME];

const STATE: SortKey = { value: sql`a.state`, type: "text", pattern: TEXT_PATTERN };

/** Reads applications by address, by state, or by time. */
export function applicationListQuery({ email, state, ...days }: ConsoleApplicationsInput): ConsoleListQuery {
  const dates = daysSql(sql`a.created_at`, days);
  const byEmail = email !== undefined;
  const byState = state !== undefined && !byEmail;
  return {
    from: sql`merchant_applications a`,
    alias: sql`a`,
    columns: sql.raw(
      "a.id, a.email, a.product_url, a.phone_num, a.locale, a.state, a.created_at, a.decided_at, a.decided_by, a.note",
    ),
    indexed: byEmail
      ? [prefixSql(EMAIL_KEY, email)]
      : [...(byState ? [isValue(STATE, state)] : []), ...dates],
    filters: byEmail ? [...(state === undefined ? [] : [sql`a.state = ${state}`]), ...dates] : [],
    walked: WALKED_ROWS,
    sort: byEmail ? BY_EMAIL : byState ? [STATE, ...BY_TIME] : BY_TIME,
    at: sql`a.created_at`,
  };
}

/**
 * A page of merchants' applications, with capped total; each statement reads at most 2,100 rows.
 * @throws ShopError cursor_invalid
 */
export async function listConsoleApplications(
  input: ConsoleApplicationsInput,
  size: ListSize = SCREEN,
): Promise<ConsoleApplicationList> {
  const query = applicationListQuery(input);
  const rows = await listDb.execute<ConsoleApplication & RowMarks>(sql`
    with ${pageSql(query, input, size)}
    select w.id as application_id, w.email, w.product_url, w.phone_num, w.locale, w.state, w.created_at, w.decided_at,
      coalesce((select u.email from users u where u.id = w.decided_by), w.decided_by) as decided_by, w.note,
      ${applicationVersionSql("w")} as version, ${ROW_MARKS}
    from page w order by w.place`);
  return toPage(query, input, size, rows, toApplication);
}

const toApplication = <Row extends ConsoleApplication>(row: Row): Row => ({
  ...row,
  created_at: instant(row.created_at),
  decided_at: instant(row.decided_at),
});

/** One application, with the source that it came by; null when there is none. */
export async function findConsoleApplication(id: string): Promise<ConsoleApplicationDetail | null> {
  const [row] = await db.execute<ConsoleApplicationDetail>(sql`
    select a.id as application_id, a.email, a.product_url, a.phone_num, a.locale, a.state, a.created_at, a.decided_at,
      coalesce((select u.email from users u where u.id = a.decided_by), a.decided_by) as decided_by, a.note,
      ${applicationVersionSql("a")} as version, a.source->>'source' as came_from,
      (select u.id from users u where lower(u.email) = a.email) as customer_id,
      (select json_build_object('id', m.id, 'name', m.name) from merchants m where m.application_id = a.id limit 1) as merchant
    from merchant_applications a where a.id = ${id}`);
  return row ? toApplication(row) : null;
}

/** Applications that wait for a decision, the oldest first. */
export const countApplications = (): Promise<QueueState> =>
  countQueue(
    sql`select a.created_at as at from merchant_applications a where a.state = 'received' order by a.created_at`,
  );
