import { sql } from "drizzle-orm";
import { db, listDb } from "@/db/client";
import {
  ConsoleApplication,
  type ConsoleApplicationDetail,
  type ConsoleApplicationList,
  type ConsoleApplicationsInput,
} from "@/lib/merchants/console/contract";
import { applicationVersionSql } from "@/lib/merchants/find-application";
import {
  beginsWith,
  declareQuery,
  equals,
  idKey,
  textKey,
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

/** Reads applications by address, which is stored in lower case, by state, or by time. */
export const applicationListQuery = declareQuery<ConsoleApplicationsInput>({
  table: "merchant_applications a",
  columns: "id, email, product_url, phone_num, locale, state, created_at, decided_at, decided_by, note",
  order: [timeKey("a.created_at"), idKey("a.id")],
  days: true,
  indexes: { email: beginsWith("a.email"), state: equals(textKey("a.state")) },
});

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
  return toPage(query, input, size, rows, withTimes(ConsoleApplication));
}

/** One application, with the source that it came by; null when there is none. */
export async function findConsoleApplication(id: string): Promise<ConsoleApplicationDetail | null> {
  const [row] = await db.execute<ConsoleApplicationDetail>(sql`
    select a.id as application_id, a.email, a.product_url, a.phone_num, a.locale, a.state, a.created_at, a.decided_at,
      coalesce((select u.email from users u where u.id = a.decided_by), a.decided_by) as decided_by, a.note,
      ${applicationVersionSql("a")} as version, a.source->>'source' as came_from,
      (select u.id from users u where lower(u.email) = a.email) as customer_id,
      (select json_build_object('id', m.id, 'name', m.name) from merchants m where m.application_id = a.id limit 1) as merchant
    from merchant_applications a where a.id = ${id}`);
  return row ? withTimes(ConsoleApplication)(row) : null;
}

/** Applications that wait for a decision, the oldest first. */
export const countApplications = (): Promise<QueueState> =>
  countQueue(
    sql`select a.created_at as at from merchant_applications a where a.state = 'received' order by a.created_at`,
  );
