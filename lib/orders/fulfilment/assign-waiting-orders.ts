import { sql } from "drizzle-orm";
import { client, db, transaction } from "@/db/client";
import { SELLABLE_KEY } from "@/lib/catalog/rules";
import { tryJournal } from "@/lib/delivery/journal/journal-keys";
import { lockOrder } from "@/lib/orders/status/lock-order";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";
import { assignOrder } from "./assign-order";

/** Assigns keys after a payment; earlier paid orders of the same plans come first. */
export async function assignPaidOrder(orderId: string): Promise<void> {
  const awaitedPlans = await client()<{ plan_id: number }[]>`
    select distinct l.plan_id from order_lines l join order_lines w on w.plan_id = l.plan_id and w.order_id <> l.order_id
    where l.order_id = ${orderId} and l.state = 'reserved' and w.state = 'waiting'`;
  for (const { plan_id } of awaitedPlans) await assignWaitingOrders(plan_id);
  await transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order) await assignOrder(tx, order);
  });
  await tryJournal({ orderId });
}

/** Assigns new stock of a plan to the waiting orders, first paid first. */
export async function assignWaitingOrders(planId: number): Promise<void> {
  const orders = await db.execute<{ id: string }>(sql`
    select o.id from orders o where o.status = 'processing'
      and exists (select from order_lines l where l.order_id = o.id and l.plan_id = ${planId} and l.state = 'waiting')
    order by o.paid_at, o.id`);
  for (const { id } of orders) {
    const hasStockLeft = await transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.waitingPlan}, ${planId})`);
      const order = await lockOrder(tx, id);
      if (order) await assignOrder(tx, order);
      const sellableKeys = await tx.execute(sql`
        select 1 from keys k where k.plan_id = ${planId} and ${sql.raw(SELLABLE_KEY)} limit 1`);
      return sellableKeys.length > 0;
    });
    await tryJournal({ orderId: id });
    if (!hasStockLeft) return;
  }
}
