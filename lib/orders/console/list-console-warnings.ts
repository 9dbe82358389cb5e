import { type SQL, sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { SERVED_UNIT_SQL } from "@/lib/orders/refunds/lock-line-codes";
import { capturedCentsSql, DISPUTED_SQL } from "@/lib/orders/refunds/refund-versions";
import { declareQuery, finds, idKey, timeKey } from "@/lib/platform/console/declare-query";
import type { QueueState } from "@/lib/platform/console/list";
import {
  actorNameSql,
  countQueue,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  rowCount,
  SCREEN,
  toPage,
  versionSql,
} from "@/lib/platform/console/query";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import type { ConsoleWarning, ConsoleWarningList, ConsoleWarningsInput } from "./contract-warnings";

/** SQL: an early fraud warning `w` that waits for staff. */
export const OPEN_WARNING = sql`w.decided_at is null`;
const STATES = { open: OPEN_WARNING, decided: sql`w.decided_at is not null` };
const MAX_CODES = 50;

/** SQL: the codes that serve or served an order `o`, and when each was seen. */
const SHOWN_CODES = sql`(select coalesce(json_agg(c order by c.key_id), '[]') from (
  select k.id as key_id, k.mailed_at, k.first_revealed_at as revealed_at
  from order_lines l join keys k on k.order_line_id = l.id and ${SERVED_UNIT_SQL}
  where l.order_id = o.id order by k.id limit ${rowCount(MAX_CODES)}) c)`;

/** SQL: the version of a warning `w` about an order `o`: what staff decide by. */
export const warningVersionSql: SQL<string> = versionSql(
  sql`w.id, w.state, o.status`,
  capturedCentsSql("o.id"),
  DISPUTED_SQL,
  sql`(select count(*) from order_lines l join keys k on k.order_line_id = l.id
    where l.order_id = o.id and (k.mailed_at is not null or k.first_revealed_at is not null))`,
);

/** SQL: what staff see of a warning `w` about an order `o` of a buyer `u`, besides its id. */
export const WARNING_COLUMNS = sql`
  w.state, w.fraud_type, w.created_at, w.decided_at, ${actorNameSql("w.decided_by")} as decided_by, w.note, o.order_number, u.id as customer_id,
  u.email, ${capturedCentsSql("o.id")} as cents, ${SHOWN_CODES} as codes, ${warningVersionSql} as version`;
export const WARNING_JOINS = sql.raw("join orders o on o.id = w.order_id join users u on u.id = o.user_id");
export type WarningRow = Omit<ConsoleWarning, "amount"> & { cents: number };

export const toWarning = ({ cents, codes, ...row }: WarningRow): ConsoleWarning => ({
  ...row,
  amount: toDecimal(cents),
  created_at: instant(row.created_at),
  decided_at: instant(row.decided_at),
  codes: codes.map(({ key_id, mailed_at, revealed_at }) => ({
    key_id,
    mailed_at: instant(mailed_at),
    revealed_at: instant(revealed_at),
  })),
});

const warningListQuery = declareQuery<ConsoleWarningsInput>({
  table: "fraud_warnings w",
  columns: "id, order_id, fraud_type, state, created_at, decided_at, decided_by, note",
  order: [timeKey("w.created_at"), idKey("w.id")],
  ascending: ({ state }) => state === "open",
  indexes: { state: finds((state) => STATES[state]) },
  checks: { state: (state) => STATES[state] },
});

/**
 * A page of early fraud warnings.
 * @throws ShopError cursor_invalid
 */
export async function listConsoleWarnings(input: ConsoleWarningsInput): Promise<ConsoleWarningList> {
  const query = warningListQuery(input);
  const rows = await listDb.execute<WarningRow & RowMarks>(sql`
    with ${pageSql(query, input, SCREEN)}
    select w.id as warning_id, ${WARNING_COLUMNS}, ${ROW_MARKS} from page w ${WARNING_JOINS} order by w.place`);
  return toPage(query, input, SCREEN, rows, toWarning);
}

export const countWarnings = (): Promise<QueueState> =>
  countQueue(
    sql`select w.created_at as at from fraud_warnings w where ${OPEN_WARNING} order by w.created_at`,
  );
