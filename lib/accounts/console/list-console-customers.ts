import { sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import type {
  ConsoleCustomer,
  ConsoleCustomerList,
  ConsoleCustomersInput,
} from "@/lib/accounts/console/contract";
import { beginsWith, declareQuery, idKey, timeKey } from "@/lib/platform/console/declare-query";
import {
  type ListSize,
  markColumns,
  pageSql,
  type RowMarks,
  rowCount,
  SCREEN,
  toPage,
} from "@/lib/platform/console/query";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";

/** Orders of a customer that the list counts, the newest. */
const COUNTED_ORDERS = 20;

/** SQL: the state of an account `u`. */
const CUSTOMER_STATE_SQL =
  sql.raw(`case when u.deleted_at is not null then 'deleted' when u.role = 'staff' then 'staff'
  when u.email_verified_at is not null then 'verified' else 'unverified' end`);

/** Reads accounts by address, by name or by time. */
export const customerListQuery = declareQuery<ConsoleCustomersInput>({
  table: "users u",
  columns: "id, email, username, created_at, deleted_at, role, email_verified_at",
  order: [timeKey("u.created_at"), idKey("u.id")],
  days: true,
  indexes: {
    email: beginsWith("lower(u.email)"),
    name: beginsWith("lower(u.username)", sql`u.deleted_at is null`),
  },
  checks: { state: (state) => sql`${CUSTOMER_STATE_SQL} = ${state}` },
});

type CustomerRow = Pick<ConsoleCustomer, "customer_id" | "email" | "username" | "state"> & { since: string };
type Figures = { user_id: string; orders: number; spent: number; refunded: number };

/**
 * A page of accounts for staff, with capped total; each statement reads at most 2,100 rows.
 * @throws ShopError cursor_invalid
 */
export async function listConsoleCustomers(
  input: ConsoleCustomersInput,
  size: ListSize = SCREEN,
): Promise<ConsoleCustomerList> {
  const query = customerListQuery(input);
  const rows = await listDb.execute<CustomerRow & RowMarks>(sql`
    with ${pageSql(query, input, size)}
    select u.id as customer_id, u.email, u.username, ${CUSTOMER_STATE_SQL} as state, u.created_at as since, ${markColumns("u")}
    from page u order by u.place`);
  const page = await toPage(query, input, size, rows, (row) => row);
  const figures = await readFigures(page.items.map(({ customer_id }) => customer_id));
  return { ...page, items: page.items.map((row) => toCustomer(row, figures.get(row.customer_id))) };
}

/** What the newest orders of these customers cost and returned. Money counts where it was paid. */
async function readFigures(ids: readonly string[]): Promise<Map<string, Figures>> {
  const rows = await listDb.execute<Figures>(sql`
    select u.id as user_id, count(*)::int as orders, coalesce(sum(o.total_cents) filter (where o.paid_at is not null), 0)::int as spent,
      coalesce(sum(r.cents), 0)::int as refunded
    from unnest(${sql.param([...ids])}::text[]) u(id)
    cross join lateral (select n.id, n.total_cents, n.paid_at from orders n where n.user_id = u.id
      order by n.created_at desc limit ${rowCount(COUNTED_ORDERS + 1)}) o
    cross join lateral (select sum(f.amount_cents) as cents from refunds f
      where f.order_id = o.id and f.state not in ('failed', 'cancelled')) r
    group by u.id`);
  return new Map(rows.map((row) => [row.user_id, row]));
}

function toCustomer(row: CustomerRow, figures: Figures | undefined): ConsoleCustomer {
  const { customer_id, email, username, state, since } = row;
  const { orders, spent, refunded } = figures ?? { orders: 0, spent: 0, refunded: 0 };
  return {
    customer_id,
    email,
    username,
    state,
    since: instant(since),
    orders: Math.min(orders, COUNTED_ORDERS),
    orders_exact: orders <= COUNTED_ORDERS,
    spent: toDecimal(spent),
    refunded: toDecimal(refunded),
  };
}
