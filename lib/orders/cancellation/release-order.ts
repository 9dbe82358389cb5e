import { and, eq, isNull, sql } from "drizzle-orm";
import { shopNow, type Tx } from "@/db/client";
import { deals } from "@/db/schema/catalog";
import { orderLines, orders, purchaseClaims } from "@/db/schema/orders";
import { releaseCoupon } from "@/lib/coupons/reserve-coupon";
import { releaseReservedKeys } from "@/lib/delivery/release-reserved-keys";
import { enqueueAssignWaiting } from "@/lib/orders/fulfilment/enqueue-assign";
import type { LockedOrder } from "@/lib/orders/status/lock-order";

/** Releases what an order held: keys, deal units, purchase claims, coupon. Runs once per order. */
export async function releaseOrder(tx: Tx, order: LockedOrder): Promise<void> {
  const released = await tx
    .update(orders)
    .set({ releasedAt: shopNow })
    .where(and(eq(orders.id, order.id), isNull(orders.releasedAt)))
    .returning({ id: orders.id });
  if (released.length === 0) return;
  const lines = await tx
    .select({ id: orderLines.id, dealId: orderLines.dealId, quantity: orderLines.quantity })
    .from(orderLines)
    .where(eq(orderLines.orderId, order.id))
    .orderBy(orderLines.planId);
  for (const line of lines)
    if (line.dealId)
      await tx
        .update(deals)
        .set({ claimed: sql`${deals.claimed} - ${line.quantity}` })
        .where(eq(deals.id, line.dealId));
  await tx.delete(purchaseClaims).where(eq(purchaseClaims.orderId, order.id));
  await releaseCoupon(tx, order.id);
  const lineIds = lines.map((line) => line.id);
  await releaseReservedKeys(tx, lineIds);
  await tx.update(orderLines).set({ state: "released" }).where(eq(orderLines.orderId, order.id));
  const awaitedPlans = await tx.execute<{ plan_id: number }>(sql`
    select distinct w.plan_id from order_lines l join order_lines w on w.plan_id = l.plan_id and w.state = 'waiting'
    where l.order_id = ${order.id} order by w.plan_id`);
  const planIds = awaitedPlans.map((plan) => plan.plan_id);
  await enqueueAssignWaiting(tx, planIds);
}
