import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { queueMail } from "@/lib/notifications/commands";
import { SendRefund } from "@/lib/orders/contract-jobs";
import type { LockedOrder } from "@/lib/orders/status/commands";
import { REFUND_RETRY_MINUTES } from "@/lib/payments/rules";
import { audit } from "@/lib/platform/audit";
import { newId } from "@/lib/platform/crypto/ids";
import { enqueue } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";

type Failure = { id: string; amountCents: number; reason: string | null };

/**
 * Queues the next attempt of a failed refund, under its own id and idempotency key, after a pause. After the last
 * attempt it notifies the shopper and staff that it is paid by other means. Returns the id of the next attempt, or
 * null. The refund must be stored as failed.
 */
export async function retryFailedRefund(
  tx: Tx,
  order: LockedOrder,
  failure: Failure,
): Promise<string | null> {
  const [tries] = await tx.execute<{ n: number }>(sql`
    select count(*)::int as n from refunds f join refunds r on r.id = ${failure.id} and f.order_id = r.order_id
      and f.order_line_id is not distinct from r.order_line_id and f.reason = r.reason
      and f.intent_id is not distinct from r.intent_id where f.state = 'failed'`);
  const pause = REFUND_RETRY_MINUTES[(tries?.n ?? 1) - 1];
  if (pause === undefined) {
    await giveUp(tx, order, failure);
    return null;
  }
  const id = newId("rfd");
  // Touches the row until then, so that the sweeper does not send it early.
  const [next] = await tx.execute<{ run_at: string }>(sql`
    insert into refunds (id, order_id, order_line_id, intent_id, amount_cents, reason, updated_at)
    select ${id}, order_id, order_line_id, intent_id, amount_cents, reason, shop_now() + make_interval(mins => ${pause})
    from refunds where id = ${failure.id} on conflict do nothing returning updated_at as run_at`);
  if (!next) return null; // another attempt exists already
  await enqueue(tx, SendRefund, { refundId: id }, { jobKey: id, runAt: new Date(next.run_at) });
  return id;
}

async function giveUp(tx: Tx, order: LockedOrder, { id, amountCents, reason }: Failure): Promise<void> {
  const detail = { refundId: id, amountCents, reason };
  await audit({ actor: "system", action: "refund_failed", subject: order.id, detail }, tx);
  log.error({ orderId: order.id, ...detail }, "a refund failed: somebody must pay it back by other means");
  await queueMail(tx, {
    event: "refund-failed",
    to: order.sendEmail,
    locale: order.locale,
    refs: { refundId: id },
    dedupeKey: `refund-failed:${id}`,
  });
}
