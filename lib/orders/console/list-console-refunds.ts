import { type SQL, sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import type { PassType } from "@/lib/catalog/rules";
import type {
  ConsoleRefund,
  ConsoleRefundList,
  ConsoleRefundsInput,
} from "@/lib/orders/console/contract-refunds";
import { GIVEN_UP_SQL } from "@/lib/orders/refunds/given-up-sql";
import {
  CODES_SEEN_SQL,
  CODES_SQL,
  capturedCentsSql,
  DISPUTED_SQL,
  failedLeftSql,
  failedVersionSql,
  requestLeftSql,
  requestVersionSql,
} from "@/lib/orders/refunds/refund-versions";
import { ID_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import { PAGE_ROWS, type QueueState, WALKED_ROWS_WITH_PARTS } from "@/lib/platform/console/list";
import {
  actorNameSql,
  type ConsoleListQuery,
  countQueue,
  type ListSize,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  rowCount,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";

/** Refund requests that wait for a decision, those with the least time left first. */
export const countRefundRequests = (): Promise<QueueState> =>
  countQueue(
    sql`select q.created_at as at from refund_requests q where q.state = 'asked' order by q.answer_by`,
  );

/** Refunds to look at at most for the count of the failed ones: most attempts that failed were tried again. */
const COUNTED_ATTEMPTS = sql.raw("500");

/** Refunds whose attempts are all over, the oldest first: they must be paid by other means. */
export const countFailedRefunds = (): Promise<QueueState> =>
  countQueue(sql`
    select r.updated_at as at
    from (select * from refunds where state = 'failed' order by updated_at, id limit ${COUNTED_ATTEMPTS}) r
    where ${GIVEN_UP_SQL}
      and ${capturedCentsSql("r.order_id")} > 0
      and not exists (select from disputes d where d.order_id = r.order_id and d.is_open) order by r.updated_at`);

const sortBy = (time: SQL, id: SQL): readonly SortKey[] => [
  { value: time, type: "timestamptz", pattern: TIME_PATTERN },
  { value: id, type: "text", pattern: ID_PATTERN },
];

/** SQL: one value of the order and the pass that a row is about. */
const about = (orderId: SQL, value: SQL) => sql`(select ${value} from orders o where o.id = ${orderId})`;

type PartFilters = Pick<ConsoleRefundsInput, "email" | "vendor" | "number">;

function partFilters({ email, vendor, number }: PartFilters, orderId: SQL, lineId: SQL): SQL[] {
  const filters: SQL[] = [];
  if (email !== undefined)
    filters.push(
      sql`starts_with(${about(orderId, sql`(select lower(u.email) from users u where u.id = o.user_id)`)}, ${email})`,
    );
  if (vendor !== undefined)
    filters.push(
      sql`(select p.vendor_slug from order_lines l join products p on p.id = l.product_id where l.id = ${lineId}) = ${vendor}`,
    );
  if (number !== undefined) filters.push(sql`${about(orderId, sql`o.order_number`)} = ${number}`);
  return filters;
}

const REQUEST_ORDER = sql`(select l.order_id from order_lines l where l.id = q.order_line_id)`;

/** Requests by their deadline, or refused ones that staff can still overrule. */
function requestListQuery(input: ConsoleRefundsInput): ConsoleListQuery {
  const isRefused = input.state === "refused";
  const filters = partFilters(input, REQUEST_ORDER, sql`q.order_line_id`);
  if (isRefused)
    filters.push(
      sql`(select l.state from order_lines l where l.id = q.order_line_id) <> 'refunded'`,
      sql`not exists (select from refund_requests n where n.order_line_id = q.order_line_id
        and (n.created_at, n.id) > (q.created_at, q.id))`,
    );
  const when = input.state === "late" ? sql`q.answer_by <= shop_now()` : sql`q.answer_by > shop_now()`;
  return {
    from: sql`refund_requests q`,
    alias: sql`q`,
    columns: sql.raw(
      "q.id, q.order_line_id, q.state, q.amount_cents, q.created_at, q.answer_by, q.decided_at, q.decided_by, q.asked_by, q.stated_country",
    ),
    indexed: isRefused ? [sql`q.state = 'refused'`] : [sql`q.state = 'asked'`, when],
    filters,
    walked: WALKED_ROWS_WITH_PARTS,
    sort: sortBy(isRefused ? sql`q.decided_at` : sql`q.answer_by`, sql`q.id`),
    ascending: !isRefused,
    at: isRefused ? sql`q.decided_at` : sql`q.answer_by`,
  };
}

/** Refunds whose last attempt failed, and that nothing has returned since. */
const failedRefundListQuery = (input: ConsoleRefundsInput): ConsoleListQuery => ({
  from: sql`refunds r`,
  alias: sql`r`,
  columns: sql.raw("r.id, r.order_id, r.order_line_id, r.state, r.amount_cents, r.updated_at"),
  indexed: [sql`r.state = 'failed'`],
  filters: [
    GIVEN_UP_SQL,
    sql`${capturedCentsSql("r.order_id")} > 0`,
    ...partFilters(input, sql`r.order_id`, sql`r.order_line_id`),
  ],
  walked: WALKED_ROWS_WITH_PARTS,
  sort: sortBy(sql`r.updated_at`, sql`r.id`),
  ascending: true,
  at: sql`r.updated_at`,
});

export const refundListQuery = (input: ConsoleRefundsInput): ConsoleListQuery =>
  input.state === "failed" ? failedRefundListQuery(input) : requestListQuery(input);

type Row = Pick<
  ConsoleRefund,
  | "refund_id"
  | "order_id"
  | "order_number"
  | "email"
  | "reader"
  | "product_name"
  | "vendor"
  | "codes"
  | "codes_seen"
  | "decided_by"
  | "asked_by"
  | "stated_country"
  | "order_country"
  | "failure"
  | "disputed"
  | "version"
> & {
  cents: number;
  at: string;
  answer_by: string | null;
  decided_at: string | null;
  pass_type: PassType | null;
  days: number | null;
};

/** SQL: the pass of a line `l` of an order `o`, its codes, and whether a dispute is open. */
const passColumns = (locale: Locale) => sql`
  o.id as order_id, o.order_number, o.country as order_country, u.email, u.locale as reader, coalesce(t.name, translate_product_text(e.name, ${locale})) as product_name, p.vendor, l.pass_type, l.duration_days as days,
  ${CODES_SQL} as codes, ${CODES_SEEN_SQL} as codes_seen, ${DISPUTED_SQL} as disputed`;
const passJoins = (locale: Locale) => sql`
  join users u on u.id = o.user_id left join products p on p.id = l.product_id
  left join product_texts t on t.product_id = l.product_id and t.locale = ${locale}
  left join product_texts e on e.product_id = l.product_id and e.locale = 'en'`;

/**
 * A page of refunds that wait for a decision, that staff may overrule, or that failed, with capped total.
 * @throws ShopError cursor_invalid
 */
export async function listConsoleRefunds(
  input: ConsoleRefundsInput,
  locale: Locale,
  size: ListSize = SCREEN,
): Promise<ConsoleRefundList> {
  const query = refundListQuery(input);
  const read = input.state === "failed" ? readFailed : readRequests;
  const rows = await read(pageSql(query, input, size), locale);
  return toPage(query, input, size, rows, (row) => toConsoleRefund(row, locale));
}

/** SQL: a page of one order's rows, which needs no place in a list. */
const pageOfOrder = (rows: SQL) =>
  sql`page as (select r.*, 1 as place, true as is_hit, false as is_end, array[]::text[] as sort_values, null as row_at from (${rows}) r)`;

/** The refunds of one order that wait for staff: requests, and those that finally failed. At most 50 of each. */
export async function listOrderRefunds(
  orderId: string,
  locale: Locale,
): Promise<{ asked: ConsoleRefund[]; failed: ConsoleRefund[] }> {
  const asked = await readRequests(
    pageOfOrder(sql`
      select q.* from order_lines l join refund_requests q on q.order_line_id = l.id
      where l.order_id = ${orderId} and q.state = 'asked' order by q.answer_by limit ${rowCount(PAGE_ROWS)}`),
    locale,
  );
  const failed = await readFailed(
    pageOfOrder(sql`
      select r.* from refunds r where r.order_id = ${orderId} and r.state = 'failed' and ${GIVEN_UP_SQL}
        and ${capturedCentsSql("r.order_id")} > 0 order by r.updated_at limit ${rowCount(PAGE_ROWS)}`),
    locale,
  );
  const toViews = (rows: readonly (Row & RowMarks)[]) =>
    rows.map(({ is_hit, is_end, sort_values, row_at, ...row }) => toConsoleRefund(row, locale));
  return { asked: toViews(asked), failed: toViews(failed) };
}

const readRequests = (page: SQL, locale: Locale) =>
  listDb.execute<Row & RowMarks>(sql`
    with ${page}
    select w.id as refund_id, ${requestLeftSql("w", "l")} as cents, w.created_at as at, case when w.decided_at is null then w.answer_by end as answer_by,
      w.decided_at, ${actorNameSql("w.decided_by")} as decided_by,
      (select s.email from users s where s.id = w.asked_by) as asked_by, w.stated_country, null as failure, ${requestVersionSql("w")} as version, ${passColumns(locale)}, ${ROW_MARKS}
    from page w join order_lines l on l.id = w.order_line_id join orders o on o.id = l.order_id ${passJoins(locale)}
    order by w.place`);

const readFailed = (page: SQL, locale: Locale) =>
  listDb.execute<Row & RowMarks>(sql`
    with ${page}
    select w.id as refund_id, ${failedLeftSql("w")} as cents, w.updated_at as at,
      null as answer_by, null as decided_at, null as decided_by, null as asked_by, null as stated_country,
      (select a.detail->>'reason' from audit_entries a where a.action = 'refund_failed' and a.subject = o.id
        and a.detail->>'refundId' = w.id limit 1) as failure, ${failedVersionSql("w")} as version, ${passColumns(locale)}, ${ROW_MARKS}
    from page w join orders o on o.id = w.order_id left join order_lines l on l.id = w.order_line_id ${passJoins(locale)}
    order by w.place`);

function toConsoleRefund(row: Omit<Row, keyof RowMarks>, locale: Locale): ConsoleRefund {
  const { cents, at, answer_by, decided_at, pass_type, days, ...rest } = row;
  return {
    ...rest,
    vip_type: pass_type && passLabel({ pass_type, duration_days: days }, locale),
    amount: toDecimal(cents),
    at: instant(at),
    answer_by: instant(answer_by),
    decided_at: instant(decided_at),
  };
}
