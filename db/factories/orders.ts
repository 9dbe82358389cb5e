import { eq, sql } from "drizzle-orm";
import { db, shopNow } from "@/db/client";
import { createKeys } from "@/db/factories/catalog";
import { orderEvents, orders } from "@/db/schema/orders";
import type { OrderEvent, OrderStatus } from "@/lib/orders/rules";
import { newId } from "@/lib/platform/crypto/ids";

/** Orders for tests, inserted without the commands. */

/** Adds a plan to a cart, regardless of stock. */
export async function createCartLine(
  userId: string,
  planId: number,
  input: { quantity?: number; selected?: boolean } = {},
): Promise<string> {
  const [line] = await db.execute<{ id: string }>(sql`
    insert into cart_lines (id, user_id, product_id, plan_id, quantity, selected)
    select ${newId("cart")}, ${userId}, product_id, id, ${input.quantity ?? 1}, ${input.selected ?? true}
    from plans where id = ${planId}
    on conflict (user_id, plan_id) do update set quantity = excluded.quantity, selected = excluded.selected
    returning id`);
  return line!.id;
}

export type OrderInput = {
  status?: OrderStatus;
  quantity?: number;
  /** Minutes from the shop's now; negative: expired. */
  holdMinutes?: number;
};
/** An assigned code of an order's line, as its email has sent it. Returns the code. */
export async function createMailedKey(planId: number, lineId: string, slot = 1): Promise<string> {
  const [code = ""] = await createKeys(planId, 1);
  const [key] = await db.execute<{ id: string }>(sql`
    update keys set state = 'reserved', order_line_id = ${lineId}, slot = ${slot}
    where id = (select id from keys where plan_id = ${planId} and state = 'available' order by created_at desc, id limit 1)
    returning id`);
  await db.execute(sql`
    update keys set state = 'assigned', assigned_at = shop_now(), mailed_at = shop_now() where id = ${key!.id}`);
  return code;
}

export type CreatedOrder = { id: string; lineId: string };

type Step = [OrderEvent, OrderStatus];
const PAID: Step = ["payment_verified", "paid"];
const SHIPPED: Step = ["assigned", "shipped"];

/** The events from `pending` to each status. */
const EVENTS_TO: Record<OrderStatus, Step[]> = {
  pending: [],
  processingPayment: [["payment_started", "processingPayment"]],
  paid: [PAID],
  processing: [PAID, ["stock_short", "processing"]],
  shipped: [PAID, SHIPPED],
  completed: [PAID, SHIPPED, ["delivered", "completed"]],
  cancelled: [["cancelled", "cancelled"]],
  refunded: [PAID, ["refunded", "refunded"]],
};

/** An order of one plan at its regular price in a status, with its history, without keys or payment. */
export async function createOrder(
  user: { id: string; email: string },
  planId: number,
  { status = "pending", quantity = 1, holdMinutes = 30 }: OrderInput = {},
): Promise<CreatedOrder> {
  const [id, lineId] = [newId("ord"), newId("line")];
  await db.execute(sql`
    insert into orders (id, user_id, send_email, locale, subtotal_cents, total_cents, hold_ends_at)
    select ${id}, ${user.id}, ${user.email}, 'en', price_cents * ${quantity}::int, price_cents * ${quantity}::int,
      shop_now() + make_interval(mins => ${holdMinutes})
    from plans where id = ${planId}`);
  await db.execute(sql`
    insert into order_lines (id, order_id, product_id, plan_id, position, quantity, unit_price_cents, total_cents,
      pass_type, duration_days, pre_order, refund_rule)
    select ${lineId}, ${id}, product_id, id, 0, ${quantity}, price_cents, price_cents * ${quantity}::int, type, duration_days,
      availability = 'pre_order', '{"days":15,"refundable":false,"reason":"short_pass"}'
    from plans where id = ${planId}`);
  await db.insert(orderEvents).values({ orderId: id, event: "created", toStatus: "pending" });
  let from: OrderStatus = "pending";
  for (const [event, to] of EVENTS_TO[status]) {
    await db
      .update(orders)
      .set({ status: to, ...(to === "paid" && { paidAt: shopNow }) })
      .where(eq(orders.id, id));
    await db.insert(orderEvents).values({ orderId: id, fromStatus: from, event, toStatus: to });
    from = to;
  }
  return { id, lineId };
}
