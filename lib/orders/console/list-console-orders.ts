import { type SQL, sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import type { PassType } from "@/lib/catalog/rules";
import type { ConsoleOrder, ConsoleOrderList, ConsoleOrdersInput } from "@/lib/orders/console/contract";
import { ID_PATTERN, TEXT_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import { WALKED_ROWS, WALKED_ROWS_WITH_PARTS } from "@/lib/platform/console/list";
import {
  type ConsoleListQuery,
  daysSql,
  type ListSize,
  pageSql,
  prefixSql,
  ROW_MARKS,
  type RowMarks,
  rowCount,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { toCents, toDecimal } from "@/lib/platform/money";

/** The statuses with an index; the others are most orders (db/schema/orders.ts). */
const INDEXED_STATUSES = ["pending", "processingPayment", "paid", "processing", "cancelled", "refunded"];
/** Open disputes that the list looks at, the newest. */
const MAX_DISPUTES = 500;

const EMAIL_KEY = sql`lower(o.send_email) collate "C"`;
const BY_TIME: readonly SortKey[] = [
  { value: sql`o.created_at`, type: "timestamptz", pattern: TIME_PATTERN },
  { value: sql`o.id`, type: "text", pattern: ID_PATTERN },
];
const BY_EMAIL: readonly SortKey[] = [{ value: EMAIL_KEY, type: "text", pattern: TEXT_PATTERN }, ...BY_TIME];

/** What the filters and the page need. */
const COLUMNS = sql.raw(
  "o.id, o.user_id, o.order_number, o.created_at, o.send_email, o.status, o.total_cents, o.paid_at, o.coupon_id, o.attribution",
);

/** Chooses the index that finds the fewest rows; every other filter is checked on the rows it gives. */
export function orderListQuery(input: ConsoleOrdersInput): ConsoleListQuery {
  const indexed: SQL[] = [];
  const filters: SQL[] = [];
  let readsLines = false;
  let from = sql`orders o`;
  const { number, disputed, status, waiting, customer_id: customer } = input;
  const byCoupon = sql`o.coupon_id = (select id from coupons where code = ${input.coupon_code ?? null})`;
  // The first of these that is given selects the rows; the others are checked on them.
  if (number !== undefined)
    from = sql`(select * from orders where order_number = ${number}
      union select * from orders where id = ${number} union select * from orders where transaction_id = ${number}) o`;
  else if (customer) indexed.push(sql`o.user_id = ${customer}`);
  else if (input.coupon_code) indexed.push(byCoupon);
  else if (disputed)
    // `offset 0` keeps these orders together: else the planner would look for them along all orders.
    from = sql`(select * from orders where id = any(array(
      select order_id from disputes where is_open order by created_at desc limit ${rowCount(MAX_DISPUTES)})) offset 0) o`;
  const isFirst = number === undefined && !customer && !input.coupon_code && !disputed;
  if (number !== undefined && customer) filters.push(sql`o.user_id = ${customer}`);
  if ((number !== undefined || customer) && input.coupon_code) filters.push(byCoupon);
  if ((number !== undefined || customer || input.coupon_code) && disputed)
    filters.push(
      sql`(select d.id from disputes d where d.order_id = o.id and d.is_open limit 1) is not null`,
    );

  const byEmail = isFirst && input.email !== undefined;
  if (input.email !== undefined) (byEmail ? indexed : filters).push(prefixSql(EMAIL_KEY, input.email));
  const wanted = status ?? (waiting ? "processing" : undefined);
  if (wanted !== undefined) {
    // The partial index is chosen only if its condition is part of the statement.
    const partial = INDEXED_STATUSES.includes(wanted)
      ? sql` and o.status not in ('completed', 'shipped')`
      : sql``;
    const usesIndex = isFirst && !byEmail && INDEXED_STATUSES.includes(wanted);
    (usesIndex ? indexed : filters).push(sql`o.status = ${wanted}${partial}`);
  }
  if (waiting && status !== undefined && status !== "processing") filters.push(sql`false`);
  const dates = byEmail ? filters : indexed;
  dates.push(...daysSql(sql`o.created_at`, input));
  if (input.amount_from !== undefined) filters.push(sql`o.total_cents >= ${toCents(input.amount_from)}`);
  if (input.amount_to !== undefined) filters.push(sql`o.total_cents <= ${toCents(input.amount_to)}`);
  if (input.came_from) filters.push(sql`o.attribution->>'source' = ${input.came_from}`);
  // An array of the order's own lines, because the planner would turn `exists` into a read of all lines.
  if (input.vip_id !== undefined) {
    readsLines = true;
    filters.push(
      sql`${input.vip_id} = any(array(select l.plan_id from order_lines l where l.order_id = o.id))`,
    );
  }
  if (input.vendor) {
    readsLines = true;
    filters.push(sql`${input.vendor} = any(array(
      select p.vendor_slug from order_lines l join products p on p.id = l.product_id where l.order_id = o.id))`);
  }
  return {
    from,
    alias: sql`o`,
    columns: COLUMNS,
    indexed,
    filters,
    walked: readsLines ? WALKED_ROWS_WITH_PARTS : WALKED_ROWS,
    sort: byEmail ? BY_EMAIL : BY_TIME,
    at: sql`o.created_at`,
  };
}

type OrderRow = Pick<
  ConsoleOrder,
  "order_id" | "order_number" | "send_email" | "status" | "payment" | "disputed"
> & {
  created_at: string;
  paid_at: string | null;
  total_cents: number;
  passes: { name: string; type: PassType; days: number | null; quantity: number; waiting: boolean }[] | null;
};

/**
 * A page of orders for staff, with capped total. Each statement reads at most 2,100 rows: it follows one index from the
 * cursor, and when a filter has no index it stops after some rows and reports how far it has read.
 * @throws ShopError cursor_invalid
 */
export async function listConsoleOrders(
  input: ConsoleOrdersInput,
  locale: Locale,
  size: ListSize = SCREEN,
): Promise<ConsoleOrderList> {
  const query = orderListQuery(input);
  const rows = await listDb.execute<OrderRow & RowMarks>(sql`
    with ${pageSql(query, input, size)}
    select w.id as order_id, w.order_number, w.created_at, w.send_email, w.status, w.total_cents, w.paid_at,
      (select json_build_object('state', p.state, 'method', p.method) from payments p
        where p.order_id = w.id order by p.state = 'canceled', p.created_at desc limit 1) as payment,
      (select d.id from disputes d where d.order_id = w.id and d.is_open limit 1) is not null as disputed,
      (select json_agg(json_build_object('name', coalesce(t.name, translate_product_text(e.name, ${locale})), 'type', l.pass_type, 'days', l.duration_days,
          'quantity', l.quantity, 'waiting', l.state = 'waiting') order by l.position)
        from order_lines l
        left join product_texts t on t.product_id = l.product_id and t.locale = ${locale}
        left join product_texts e on e.product_id = l.product_id and e.locale = 'en'
        where l.order_id = w.id) as passes, ${ROW_MARKS}
    from page w order by w.place`);
  return toPage(query, input, size, rows, (row) => toConsoleOrder(row, locale));
}

function toConsoleOrder(row: OrderRow, locale: Locale): ConsoleOrder {
  const { order_id, order_number, send_email, status, payment, disputed } = row;
  return {
    order_id,
    order_number,
    send_email,
    status,
    payment,
    disputed,
    created_at: instant(row.created_at),
    paid_at: instant(row.paid_at),
    final_amount: toDecimal(row.total_cents),
    passes: (row.passes ?? []).map(({ name, type, days, quantity, waiting }) => ({
      product_name: name,
      vip_type: passLabel({ pass_type: type, duration_days: days }, locale),
      quantity,
      waiting,
    })),
  };
}
