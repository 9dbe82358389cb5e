import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { UserViewer } from "@/lib/platform/auth/session";
import { instant } from "@/lib/platform/instant";

/** The viewer's newest payable order, to which the cart links; null when there is none. */
export async function findOpenOrder(viewer: UserViewer) {
  const [order] = await db.execute<{ order_id: string; hold_ends_at: string }>(sql`
    select id as order_id, hold_ends_at from orders
    where user_id = ${viewer.userId} and status in ('pending', 'processingPayment') and hold_ends_at > shop_now()
    order by created_at desc limit 1`);
  return order ? { ...order, hold_ends_at: instant(order.hold_ends_at) } : null;
}

/** Where a page of one order leads without its id: to the order that waits for its payment, else to `otherwise`. */
export const toOpenOrder = (otherwise: string) => async (viewer: UserViewer, path: string) => {
  const order = await findOpenOrder(viewer);
  return order ? `${path}?order_id=${order.order_id}` : otherwise;
};
