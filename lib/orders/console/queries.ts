import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import type { PassType } from "@/lib/catalog/rules";
import type { ConsoleOrder, ConsoleOrderList, ConsoleOrdersInput } from "@/lib/orders/console/contract";
import {
  decodeCursor,
  encodeCursor,
  ID_PATTERN,
  TEXT_PATTERN,
  TIME_PATTERN,
} from "@/lib/platform/console/cursor";
import { MAX_COUNTED, PAGE_ROWS, WALKED_ROWS, WALKED_ROWS_WITH_PARTS } from "@/lib/platform/console/list";
import type { Locale } from "@/lib/platform/i18n/locales";
import { toCents, toDecimal } from "@/lib/platform/money";

/** The statuses with an index; the others are most orders (db/schema/orders.ts). */
const INDEXED_STATUSES = ["pending", "processingPayment", "paid", "processing", "cancelled", "refunded"];
/** Open disputes that the list looks at, the newest. */
const MAX_DISPUTES = 500;

const EMAIL_KEY = sql`lower(o.send_email) collate "C"`;
const microseconds = (column: SQL) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** What a statement reads: an index, and conditions on each row that it finds. */
type Plan = {
  /** The rows of an index in its order. */
  from: SQL;
  indexed: SQL[];
  filters: SQL[];
  /** Rows that are walked for the filters; null: no filter, so that every row counts. */
  walked: number | null;
  byEmail: boolean;
};

/** Chooses the index that finds the fewest rows; every other filter is checked on the rows it gives. */
function planOrders(input: ConsoleOrdersInput): Plan {
  const indexed: SQL[] = [];
  const filters: SQL[] = [];
  let readsLines = false;
  let from = sql`orders o`;
  const byEmail =
    input.email !== undefined && input.number === undefined && !input.coupon_code && !input.disputed;
  const { number, disputed, status, waiting } = input;
  if (number !== undefined)
    from = sql`(select * from orders where order_number = upper(${number})
      union select * from orders where id = ${number} union select * from orders where transaction_id = ${number}) o`;
  else if (disputed)
    from = sql`(select * from orders where id in (
      select order_id from disputes where is_open order by created_at desc limit ${MAX_DISPUTES})) o`;
  else if (input.coupon_code)
    indexed.push(sql`o.coupon_id = (select id from coupons where code = ${input.coupon_code})`);

  if (input.email !== undefined) {
    const range = sql`${EMAIL_KEY} >= ${input.email} and ${EMAIL_KEY} < ${input.email} || chr(1114111)`;
    (byEmail ? indexed : filters).push(range);
  }
  const isFirst = indexed.length === 0 && number === undefined && !disputed;
  const wanted = status ?? (waiting ? "processing" : undefined);
  if (wanted !== undefined) {
    // The partial index is chosen only if its condition is part of the statement.
    const partial = INDEXED_STATUSES.includes(wanted)
      ? sql` and o.status not in ('completed', 'shipped')`
      : sql``;
    const usesIndex = isFirst && INDEXED_STATUSES.includes(wanted);
    (usesIndex ? indexed : filters).push(sql`o.status = ${wanted}${partial}`);
  }
  if (waiting && status !== undefined && status !== "processing") filters.push(sql`false`);
  const dates = byEmail ? filters : indexed;
  if (input.from) dates.push(sql`o.created_at >= ${`${input.from}T00:00:00Z`}::timestamptz`);
  if (input.to) dates.push(sql`o.created_at < ${`${input.to}T00:00:00Z`}::timestamptz + interval '1 day'`);
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
  const walked = filters.length === 0 ? null : readsLines ? WALKED_ROWS_WITH_PARTS : WALKED_ROWS;
  return { from, indexed, filters, walked, byEmail };
}

const allOf = (conditions: SQL[]) => (conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`);

type OrderRow = Pick<
  ConsoleOrder,
  "order_id" | "order_number" | "send_email" | "status" | "payment" | "disputed"
> & {
  created_at: string;
  paid_at: string | null;
  total_cents: number;
  sort_at: string;
  email_key: string;
  /** the last row that was walked */
  is_end: boolean;
  is_hit: boolean;
  passes: { name: string; type: PassType; days: number | null; quantity: number; waiting: boolean }[] | null;
};

/**
 * A page of orders for staff, with capped total. Each statement reads at most 2,100 rows: it follows one index from the
 * cursor, and where a filter has no index it stops after `walked` rows and says how far it has looked.
 * @throws ShopError cursor_invalid
 */
export async function listConsoleOrders(
  input: ConsoleOrdersInput,
  locale: Locale,
): Promise<ConsoleOrderList> {
  const plan = planOrders(input);
  const patterns = plan.byEmail ? [TEXT_PATTERN, TIME_PATTERN, ID_PATTERN] : [TIME_PATTERN, ID_PATTERN];
  const after = decodeCursor(input.cursor, input, patterns);
  const [rows, total] = [await readPage(plan, after, locale), await countOrders(plan)];
  const hits = rows.filter(({ is_hit }) => is_hit);
  const items = hits.slice(0, PAGE_ROWS);
  const end = rows.find(({ is_end }) => is_end);
  const stoppedEarly = hits.length <= PAGE_ROWS && end !== undefined;
  const last = hits.length > PAGE_ROWS ? items.at(-1) : end;
  const values = last && [...(plan.byEmail ? [last.email_key] : []), last.sort_at, last.order_id];
  return {
    items: items.map((row) => toConsoleOrder(row, locale)),
    next_cursor: values ? encodeCursor(input, values) : null,
    ...total,
    looked_back_to: stoppedEarly ? new Date(end.created_at).toISOString() : null,
  };
}

function readPage({ from, indexed, filters, walked, byEmail }: Plan, after: string[] | null, locale: Locale) {
  const key = byEmail ? sql`(${EMAIL_KEY}, o.created_at, o.id)` : sql`(o.created_at, o.id)`;
  const order = sortOf(byEmail);
  const start = after
    ? [
        sql`${key} < (${sql.join(
          after.map((value, i) => (i === after.length - 2 ? sql`${value}::timestamptz` : sql`${value}`)),
          sql`, `,
        )})`,
      ]
    : [];
  const limit = walked ?? PAGE_ROWS + 1;
  const pageOrder = byEmail
    ? sql`w.email_key desc, w.created_at desc, w.id desc`
    : sql`w.created_at desc, w.id desc`;
  return db.execute<OrderRow>(sql`
    with walked as materialized (
      select o.id, o.order_number, o.created_at, o.send_email, o.status, o.total_cents, o.paid_at, o.coupon_id, o.attribution,
        ${EMAIL_KEY} as email_key, row_number() over (order by ${order}) as position
      from ${from} where ${allOf([...indexed, ...start])} order by ${order} limit ${limit}),
    hits as (
      select o.id from walked o where ${allOf(filters)} order by o.position limit ${PAGE_ROWS + 1}),
    page as (
      select w.*, h.id is not null as is_hit, ${walked === null ? sql`false` : sql`w.position = ${walked}`} as is_end
      from walked w left join hits h on h.id = w.id
      where h.id is not null ${walked === null ? sql`` : sql`or w.position = ${walked}`})
    select w.id as order_id, w.order_number, w.created_at, w.send_email, w.status, w.total_cents, w.paid_at, w.is_hit, w.is_end,
      ${microseconds(sql`w.created_at`)} as sort_at, w.email_key,
      (select json_build_object('state', p.state, 'method', p.method) from payments p
        where p.order_id = w.id order by p.state = 'canceled', p.created_at desc limit 1) as payment,
      exists (select from disputes d where d.order_id = w.id and d.is_open) as disputed,
      (select json_agg(json_build_object('name', coalesce(t.name, e.name), 'type', l.pass_type, 'days', l.duration_days,
          'quantity', l.quantity, 'waiting', l.state = 'waiting') order by l.position)
        from order_lines l
        left join product_texts t on t.product_id = l.product_id and t.locale = ${locale}
        left join product_texts e on e.product_id = l.product_id and e.locale = 'en'
        where l.order_id = w.id) as passes
    from page w order by ${pageOrder}`);
}

const sortOf = (byEmail: boolean) =>
  byEmail ? sql`${EMAIL_KEY} desc, o.created_at desc, o.id desc` : sql`o.created_at desc, o.id desc`;

async function countOrders({ from, indexed, filters, walked, byEmail }: Plan) {
  const limit = walked ?? MAX_COUNTED + 1;
  const [row] = await db.execute<{ total: number; read: number }>(sql`
    select count(*) filter (where ${allOf(filters)})::int as total, count(*)::int as read
    from (select * from ${from} where ${allOf(indexed)} order by ${sortOf(byEmail)} limit ${limit}) o`);
  const { total = 0, read = 0 } = row ?? {};
  const isExact = walked === null ? total <= MAX_COUNTED : read < walked;
  return { total: Math.min(total, MAX_COUNTED), total_exact: isExact && total <= MAX_COUNTED };
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
    created_at: new Date(row.created_at).toISOString(),
    paid_at: row.paid_at && new Date(row.paid_at).toISOString(),
    final_amount: toDecimal(row.total_cents),
    passes: (row.passes ?? []).map(({ name, type, days, quantity, waiting }) => ({
      product_name: name,
      vip_type_label: passLabel({ vip_type: type, duration_days: days }, locale),
      quantity,
      waiting,
    })),
  };
}
