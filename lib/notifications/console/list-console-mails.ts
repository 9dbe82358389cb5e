import { type SQL, sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import type { ConsoleMail, ConsoleMailList, ConsoleMailsInput } from "@/lib/notifications/console/contract";
import { ID_PATTERN, TEXT_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import { type QueueState, WALKED_ROWS } from "@/lib/platform/console/list";
import {
  type ConsoleListQuery,
  countQueue,
  daysSql,
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

const EMAIL_KEY = sql`lower(m.to_address) collate "C"`;
const BY_TIME: readonly SortKey[] = [
  { value: sql`m.created_at`, type: "timestamptz", pattern: TIME_PATTERN },
  { value: sql`m.id`, type: "text", pattern: ID_PATTERN },
];
const BY_EMAIL: readonly SortKey[] = [{ value: EMAIL_KEY, type: "text", pattern: TEXT_PATTERN }, ...BY_TIME];

/** SQL: how many of its codes an email `keys` contains. Its references list those kept in the Library separately. */
export const mailCodesSql = (mail: string): SQL =>
  sql.raw(`case when ${mail}.event <> 'keys' then null when coalesce(${mail}.refs->>'kept', '') = '' then 'all'
    when coalesce(${mail}.refs->>'keyIds', '') = '' then 'none' else 'some' end`);

/** Reads emails by order, by address, by state where few have it, or by time. */
export function mailListQuery({
  email,
  state,
  event,
  order_number,
  ...days
}: ConsoleMailsInput): ConsoleListQuery {
  const indexed: SQL[] = [];
  const filters: SQL[] = [];
  const byEmail = email !== undefined && order_number === undefined;
  if (order_number !== undefined) indexed.push(sql`m.order_number = ${order_number}`);
  if (email !== undefined) (byEmail ? indexed : filters).push(prefixSql(EMAIL_KEY, email));
  if (state) {
    const hasIndex = state !== "sent" && indexed.length === 0;
    // The partial index is chosen only if its condition is part of the statement.
    (hasIndex ? indexed : filters).push(
      hasIndex ? sql`m.state = ${state} and m.state <> 'sent'` : sql`m.state = ${state}`,
    );
  }
  const dates = byEmail ? filters : indexed;
  dates.push(...daysSql(sql`m.created_at`, days));
  if (event) filters.push(sql`m.event = ${event}`);
  return {
    from: sql`mails m`,
    alias: sql`m`,
    columns: sql.raw(
      "m.id, m.event, m.refs, m.to_address, m.locale, m.order_number, m.state, m.attempts, m.last_error, m.created_at, m.sent_at",
    ),
    indexed,
    filters,
    walked: WALKED_ROWS,
    sort: byEmail ? BY_EMAIL : BY_TIME,
    at: sql`m.created_at`,
  };
}

/**
 * A page of the outbox for staff, with capped total; each statement reads at most 2,100 rows.
 * @throws ShopError cursor_invalid
 */
export async function listConsoleMails(
  input: ConsoleMailsInput,
  size: ListSize = SCREEN,
): Promise<ConsoleMailList> {
  const query = mailListQuery(input);
  const rows = await listDb.execute<ConsoleMail & RowMarks>(sql`
    with ${pageSql(query, input, size)}
    select w.id as mail_id, w.event, ${mailCodesSql("w")} as codes, w.to_address, w.locale, w.order_number, w.state, w.attempts, w.last_error, w.created_at,
      w.sent_at, ${ROW_MARKS}
    from page w order by w.place`);
  return toPage(query, input, size, rows, (row) => ({
    ...row,
    created_at: instant(row.created_at),
    sent_at: instant(row.sent_at),
  }));
}

/** Days for which a failed email counts as waiting; older ones are in the list only. */
const FAILED_MAIL_DAYS = 7;

/** Emails that failed in the last days, the oldest first. */
export const countFailedMails = (): Promise<QueueState> =>
  countQueue(sql`
    select m.created_at as at from mails m where m.state = 'failed' and m.state <> 'sent'
      and m.created_at > shop_now() - make_interval(days => ${FAILED_MAIL_DAYS}) order by m.created_at`);
