import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { AssignKeys, AssignWaitingOrders, DeliverGift } from "@/lib/orders/contract-jobs";
import { enqueue } from "@/lib/platform/jobs/queue";

/**
 * Queues the assignment of new stock, in the transaction that adds it; one job per plan, with a lower
 * priority than the jobs of new payments.
 */
export async function enqueueAssignWaiting(tx: Tx, planIds: number[]): Promise<void> {
  // In the order of ids, because a job's row is locked until the commit.
  for (const planId of [...new Set(planIds)].sort((a, b) => a - b))
    await enqueue(tx, AssignWaitingOrders, { planId }, { jobKey: `waiting:${planId}`, priority: 10 });
}

/** Queues the email of a gift whose day has come; on a later day the job of every minute sends it. */
export async function enqueueGift(tx: Tx, orderId: string): Promise<void> {
  const due = await tx.execute(sql`
    select 1 from gifts where order_id = ${orderId} and state = 'scheduled' and send_at <= shop_now()`);
  if (due.length > 0) await enqueue(tx, DeliverGift, { orderId }, { jobKey: `gift:${orderId}` });
}

export async function enqueueAssign(tx: Tx, orderId: string): Promise<void> {
  await enqueue(tx, AssignKeys, { orderId }, { jobKey: `assign:${orderId}` });
}
