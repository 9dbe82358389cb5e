import { eq, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { refunds } from "@/db/schema/payments";
import { SendRefund } from "@/lib/orders/contract-jobs";
import { queueOrderMail } from "@/lib/orders/emails/queue-order-mail";
import type { LockedOrder } from "@/lib/orders/status/lock-order";
import { PROVIDER_REFUND, REFUND_RETRY_MINUTES } from "@/lib/payments/rules";
import { audit } from "@/lib/platform/audit";
import { newId } from "@/lib/platform/crypto/ids";
import { enqueue } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";
import { capturedCentsSql } from "./refund-versions";
import { reverseProviderRefund } from "./reverse-provider-refund";

/** SQL: another row is a part of the refund `r`: for the same line, reason and payment. */
export const SAME_REFUND_SQL = (other: "e" | "f") =>
  sql.raw(`(${other}.order_id = r.order_id and ${other}.order_line_id is not distinct from r.order_line_id
    and ${other}.reason = r.reason and ${other}.intent_id is not distinct from r.intent_id)`);

type FailedAttempt = { id: string; reason: string | null };

/**
 * Queues the next attempt of a failed refund after a pause, under a new id and idempotency key, for at most what is left
 * of the order's money. Nothing is repeated when nothing is left, or when the provider made the refund on its own. After
 * the last attempt it notifies the shopper and staff that the refund must be paid by other means. Returns the id of the
 * next attempt, or null. The refund must be stored as failed.
 */
export async function retryFailedRefund(
  tx: Tx,
  order: LockedOrder,
  failure: FailedAttempt,
): Promise<string | null> {
  const [attempt] = await tx.execute<{ failures: number; amount_cents: number; found: boolean }>(sql`
    select (select count(*)::int from refunds f where ${SAME_REFUND_SQL("f")} and f.part = r.part and f.state = 'failed') as failures,
      least(r.amount_cents, ${capturedCentsSql("r.order_id")})::int as amount_cents, r.reason = ${PROVIDER_REFUND} as found
    from refunds r where r.id = ${failure.id}`);
  if (!attempt) return null;
  const detail = { refundId: failure.id, amountCents: attempt.amount_cents, reason: failure.reason };
  if (attempt.found || attempt.amount_cents === 0) {
    await tx.update(refunds).set({ state: "cancelled" }).where(eq(refunds.id, failure.id));
    await audit({ actor: "system", action: "refund_cancelled", subject: order.id, detail }, tx);
    await reverseProviderRefund(tx, order, failure.id);
    return null;
  }
  const pause = REFUND_RETRY_MINUTES[attempt.failures - 1];
  if (pause === undefined) {
    await giveUp(tx, order, detail);
    return null;
  }
  const id = newId("rfd");
  // `updated_at` is in the future until the pause ends, so that the sweeper does not send the refund early.
  const [next] = await tx.execute<{ run_at: string }>(sql`
    insert into refunds (id, order_id, order_line_id, intent_id, amount_cents, reason, part, updated_at)
    select ${id}, order_id, order_line_id, intent_id, ${attempt.amount_cents}, reason, part, shop_now() + make_interval(mins => ${pause})
    from refunds where id = ${failure.id} on conflict do nothing returning updated_at as run_at`);
  if (!next) return null; // another attempt exists already
  await enqueue(tx, SendRefund, { refundId: id }, { jobKey: id, runAt: new Date(next.run_at) });
  return id;
}

type FailedRefund = { refundId: string; amountCents: number; reason: string | null };

async function giveUp(tx: Tx, order: LockedOrder, detail: FailedRefund): Promise<void> {
  await audit({ actor: "system", action: "refund_failed", subject: order.id, detail }, tx);
  log.error({ orderId: order.id, ...detail }, "refund failed: pay it by other means");
  const { refundId } = detail;
  await queueOrderMail(tx, order, "refund-failed", { refundId }, `refund-failed:${refundId}`);
}
