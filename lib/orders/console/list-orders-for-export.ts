import { sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import type { ConsoleOrder, ConsoleOrdersInput } from "@/lib/orders/console/contract";
import type { ListPage } from "@/lib/platform/console/list";
import { EXPORT } from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import { toDecimal } from "@/lib/platform/money";
import { listConsoleOrders } from "./list-console-orders";

/** The money of an order, for its row in an export: `subtotal` − `discount_amount` + `added_tax` is its `final_amount`. */
export type OrderSums = {
  /** at the prices of the shop */
  subtotal: number;
  discount_amount: number;
  /** below zero: taken off for a business that owes it itself */
  added_tax: number;
  /** the rate of `added_tax`; null: the total is the prices */
  added_tax_percent: number | null;
  /** where the order is taxed; null: not paid, or no tax is claimed */
  tax_country: string | null;
  /** of its invoices less its credit notes */
  tax_amount: number;
  coupon_code: string | null;
  /** what its payments received */
  paid_amount: number;
  /** including refunds on their way */
  refunded_amount: number;
  /** the provider's id of the payment */
  payment_id: string | null;
};
type SumsRow = Pick<OrderSums, "coupon_code" | "payment_id" | "tax_country"> & {
  order_id: string;
  subtotal_cents: number;
  added_tax_cents: number;
  price_bps: number | null;
  tax_cents: number;
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
    select o.id as order_id, o.subtotal_cents, o.discount_cents, o.added_tax_cents, t.price_bps, t.country as tax_country,
      (select coalesce(sum(case d.kind when 'invoice' then d.tax_cents else -d.tax_cents end), 0)::int from tax_documents d
        where d.order_id = o.id) as tax_cents,
      (select c.code from coupons c where c.id = o.coupon_id) as coupon_code,
      (select -coalesce(sum(e.amount_cents), 0)::int from ledger_entries e
        where e.order_id = o.id and e.account = 'sales') as paid_cents,
      (select coalesce(sum(r.amount_cents), 0)::int from refunds r
        where r.order_id = o.id and r.state not in ('failed', 'cancelled')) as refunded_cents,
      o.transaction_id as payment_id
    from unnest(${sql.param([...ids])}::text[]) i(id) join orders o on o.id = i.id left join order_taxes t on t.order_id = o.id`);
  return new Map(
    rows.map(({ order_id, coupon_code, payment_id, tax_country, price_bps, ...cents }) => [
      order_id,
      {
        coupon_code,
        payment_id,
        tax_country,
        subtotal: toDecimal(cents.subtotal_cents),
        added_tax: toDecimal(cents.added_tax_cents),
        added_tax_percent: price_bps === null ? null : price_bps / 100,
        tax_amount: toDecimal(cents.tax_cents),
        discount_amount: toDecimal(cents.discount_cents),
        paid_amount: toDecimal(cents.paid_cents),
        refunded_amount: toDecimal(cents.refunded_cents),
      },
    ]),
  );
}
