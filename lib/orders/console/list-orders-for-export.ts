import { sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import type { ConsoleOrder, ConsoleOrdersInput } from "@/lib/orders/console/contract";
import type { ListPage } from "@/lib/platform/console/list";
import { EXPORT } from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import { toDecimal } from "@/lib/platform/money";
import { listConsoleOrders } from "./list-console-orders";

/** The money of an order, for its row in an export. */
export type OrderSums = {
  discount_amount: number;
  coupon_code: string | null;
  /** what its payments received */
  paid_amount: number;
  /** including refunds on their way */
  refunded_amount: number;
  /** the provider's id of the payment */
  payment_id: string | null;
};
type SumsRow = Pick<OrderSums, "coupon_code" | "payment_id"> & {
  order_id: string;
  discount_cents: number;
  paid_cents: number;
  refunded_cents: number;
};

/** A part of an export of orders: what the list has, and the money of each, read in a separate statement. */
export async function listOrdersForExport(
  input: ConsoleOrdersInput,
  locale: Locale,
): Promise<ListPage<ConsoleOrder & OrderSums>> {
  const page = await listConsoleOrders(input, locale, EXPORT);
  const sums = await readSums(page.items.map(({ order_id }) => order_id));
  return { ...page, items: page.items.map((order) => ({ ...order, ...sums.get(order.order_id)! })) };
}

async function readSums(ids: readonly string[]): Promise<Map<string, OrderSums>> {
  const rows = await listDb.execute<SumsRow>(sql`
    select o.id as order_id, o.discount_cents, (select c.code from coupons c where c.id = o.coupon_id) as coupon_code,
      (select -coalesce(sum(e.amount_cents), 0)::int from ledger_entries e
        where e.order_id = o.id and e.account = 'sales') as paid_cents,
      (select coalesce(sum(r.amount_cents), 0)::int from refunds r
        where r.order_id = o.id and r.state not in ('failed', 'cancelled')) as refunded_cents,
      o.transaction_id as payment_id
    from unnest(${sql.param([...ids])}::text[]) i(id) join orders o on o.id = i.id`);
  return new Map(
    rows.map(({ order_id, discount_cents, paid_cents, refunded_cents, ...row }) => [
      order_id,
      {
        ...row,
        discount_amount: toDecimal(discount_cents),
        paid_amount: toDecimal(paid_cents),
        refunded_amount: toDecimal(refunded_cents),
      },
    ]),
  );
}
