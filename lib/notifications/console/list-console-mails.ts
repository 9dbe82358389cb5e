import { type SQL, sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import {
  ConsoleMail,
  type ConsoleMailList,
  type ConsoleMailsInput,
} from "@/lib/notifications/console/contract";
import {
  beginsWith,
  declareQuery,
  finds,
  idKey,
  timeKey,
  withTimes,
} from "@/lib/platform/console/declare-query";
import type { QueueState } from "@/lib/platform/console/list";
import {
  countQueue,
  type ListSize,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  SCREEN,
  toPage,
} from "@/lib/platform/console/query";

/** SQL: how many of its codes an email `keys` contains. Its references list those kept in the Library separately. */
export const mailCodesSql = (mail: string): SQL =>
  sql.raw(`case when ${mail}.event <> 'keys' then null when coalesce(${mail}.refs->>'kept', '') = '' then 'all'
    when coalesce(${mail}.refs->>'keyIds', '') = '' then 'none' else 'some' end`);

/** Reads emails by order, by address, by state where few have it, or by time. */
export const mailListQuery = declareQuery<ConsoleMailsInput>({
  table: "mails m",
  columns:
    "id, event, refs, to_address, locale, order_number, state, attempts, last_error, created_at, sent_at",
  order: [timeKey("m.created_at"), idKey("m.id")],
  days: true,
  indexes: {
    order_number: finds((number) => sql`m.order_number = ${number}`),
    email: beginsWith("lower(m.to_address)"),
    // The partial index is chosen only if its condition is part of the statement.
    state: finds(
      (state) => sql`m.state = ${state} and m.state <> 'sent'`,
      (state) => state !== "sent",
    ),
  },
  checks: {
    state: (state) => sql`m.state = ${state}`,
    event: (event) => sql`m.event = ${event}`,
  },
});

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
  return toPage(query, input, size, rows, withTimes(ConsoleMail));
}

/** Days for which a failed email counts as waiting; older ones are in the list only. */
const FAILED_MAIL_DAYS = 7;

/** Emails that failed in the last days, the oldest first. */
export const countFailedMails = (): Promise<QueueState> =>
  countQueue(sql`
    select m.created_at as at from mails m where m.state = 'failed' and m.state <> 'sent'
      and m.created_at > shop_now() - make_interval(days => ${FAILED_MAIL_DAYS}) order by m.created_at`);
