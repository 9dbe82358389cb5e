import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { OrderView } from "@/lib/orders/contract";
import type { OrderStatus } from "@/lib/orders/rules";
import { selectOrders } from "@/lib/orders/select-orders";
import { toOrderView } from "@/lib/orders/to-order-view";
import { foldOrderNumber } from "@/lib/platform/fold-text";
import type { Locale } from "@/lib/platform/i18n/locales";
import { pastedEmail } from "@/lib/platform/mail/address";

/** Any order, by id or number, for staff; null for an unknown one. */
export async function findOrderForStaff(orderId: string, locale: Locale): Promise<OrderView | null> {
  const where = sql`o.id = coalesce((select id from orders where order_number = ${foldOrderNumber(orderId)}), ${orderId})`;
  const [row] = await selectOrders(locale, where, sql`limit 1`);
  return row ? toOrderView(row, locale) : null;
}

export type StaffOrder = {
  id: string;
  orderNumber: string;
  status: OrderStatus;
  totalCents: number;
  createdAt: string;
  email: string;
  products: string;
  /** the state of the gift and its recipient; null: no gift */
  gift: string | null;
};

/** Orders by number, id, or an email of delivery or account, newest first, at most 50; for staff. */
export async function findOrdersForStaff(text: string): Promise<StaffOrder[]> {
  const number = foldOrderNumber(text);
  const email = pastedEmail(text);
  return db.execute<StaffOrder>(sql`
    select o.id, o.order_number as "orderNumber", o.status, o.total_cents as "totalCents", o.created_at as "createdAt",
      u.email, (select string_agg(p.slug || ' × ' || l.quantity, ', ' order by l.position)
        from order_lines l join products p on p.id = l.product_id where l.order_id = o.id) as products,
      (select g.state || coalesce(' to ' || coalesce(c.email, g.recipient_email), '') from gifts g left join users c on c.id = g.claimed_by
        where g.order_id = o.id) as gift
    from orders o join users u on u.id = o.user_id
    where o.id = ${number} or o.order_number = ${number} or lower(o.send_email) = ${email} or lower(u.email) = ${email}
    order by o.created_at desc limit 50`);
}
