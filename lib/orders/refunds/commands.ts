import { and, eq, isNull, or, sql } from "drizzle-orm";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { orderLines } from "@/db/schema/orders";
import { refunds } from "@/db/schema/payments";
import { SendRefund } from "@/lib/orders/contract-jobs";
import { queueOrderMail } from "@/lib/orders/emails/commands";
import type { LineState } from "@/lib/orders/rules";
import { type LockedOrder, lockOrder, transition } from "@/lib/orders/status/commands";
import { postLedger } from "@/lib/payments/commands";
import { REFUND_RETRY_MINUTES, type RefundState } from "@/lib/payments/rules";
import { audit } from "@/lib/platform/audit";
import { newId } from "@/lib/platform/crypto/ids";
import { enqueue } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";
import { splitByLargestRemainder } from "@/lib/platform/money";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { RefundView } from "@/lib/platform/stripe/views";
import type { WebhookEvent } from "@/lib/platform/stripe/webhook";

type OpenRefundInput = {
  /** null: the whole order */
  lineId: string | null;
  /** The intent to refund, when it is not the one that paid the order. */
  intentId?: string;
  amountCents: number;
  reason: string;
};

/**
 * Stores a refund and queues the job that sends it to the provider. Throws when the line already has a refund for the
 * same reason, because callers never refund twice.
 */
export async function openRefund(
  tx: Tx,
  order: LockedOrder,
  { lineId, intentId, amountCents, reason }: OpenRefundInput,
): Promise<void> {
  const [refund] = await tx
    .insert(refunds)
    .values({ id: newId("rfd"), orderId: order.id, orderLineId: lineId, intentId, amountCents, reason })
    .onConflictDoNothing()
    .returning({ id: refunds.id });
  if (!refund) throw new Error(`order ${order.id}: a refund (${reason}) exists already`);
  await enqueue(tx, SendRefund, { refundId: refund.id }, { jobKey: refund.id });
}

/**
 * Finds the refund of a webhook event by the provider's id, or by our id when the event arrives before the provider's
 * id is stored. Returns null for an unknown refund.
 */
export async function findRefundByEvent({ objectId, refundId }: WebhookEvent): Promise<string | null> {
  const isUnlinked =
    refundId === null ? undefined : and(eq(refunds.id, refundId), isNull(refunds.providerId));
  const [refund] = await db
    .select({ id: refunds.id })
    .from(refunds)
    .where(or(eq(refunds.providerId, objectId), isUnlinked))
    .orderBy(sql`${refunds.providerId} nulls last`)
    .limit(1);
  return refund?.id ?? null;
}

type RefundRow = {
  id: string;
  order_id: string;
  amount_cents: number;
  state: RefundState;
  intent_id: string | null;
  provider_id: string | null;
  key_expired: boolean;
  too_early: boolean;
};
/** The refund's state at the provider; `id` is null when the provider rejected it. */
type RefundResult = Pick<RefundView, "state" | "failureReason"> & { id: string | null };

/** The provider keeps an idempotency key for 24 hours; one hour is a margin. */
const IDEMPOTENCY_KEY_HOURS = 23;

/**
 * Sends a refund to the provider with its own id as idempotency key, or retrieves its state, and books the result.
 * Safe to repeat: after the key has expired the refund is found by our id in its metadata.
 * @param providerId the provider's refund id from a webhook event, when it is not stored yet
 */
export async function sendRefund(refundId: string, providerId?: string): Promise<void> {
  const [refund] = await db.execute<RefundRow>(sql`
    select r.id, r.order_id, r.amount_cents, r.state, r.provider_id, coalesce(r.intent_id, o.transaction_id) as intent_id,
      r.created_at < shop_now() - make_interval(hours => ${IDEMPOTENCY_KEY_HOURS}) as key_expired, r.updated_at > shop_now() as too_early
    from refunds r join orders o on o.id = r.order_id where r.id = ${refundId}`);
  if (!refund?.intent_id || refund.state === "failed" || refund.too_early) return;
  const sendable = { ...refund, intent_id: refund.intent_id };
  const result = (await findEventRefund(sendable, providerId)) ?? (await sendOrRetrieve(sendable));
  const retryId = await transaction((tx) => applyResult(tx, refund, result));
  if (retryId) log.warn({ refundId, retryId }, "refund failed and is retried later");
}

type SendableRefund = RefundRow & { intent_id: string };

/** The provider's refund named by an event that arrived before the API response; null when it is another refund. */
async function findEventRefund(refund: SendableRefund, providerId: string | undefined) {
  if (refund.provider_id || !providerId) return null;
  const found = await paymentProvider().retrieveRefund(providerId);
  const { id, intent_id, amount_cents } = refund;
  const isSame = found.refundId === id && found.intentId === intent_id && found.amountCents === amount_cents;
  return isSame ? found : null;
}

/** Retrieves a sent refund, or sends it. A definite refusal is a failed attempt. */
async function sendOrRetrieve(refund: SendableRefund): Promise<RefundResult> {
  const { id, intent_id: intentId, amount_cents: amountCents } = refund;
  if (refund.provider_id) return paymentProvider().retrieveRefund(refund.provider_id);
  if (refund.key_expired) {
    // The idempotency key has expired. If the response was lost, the provider's list contains our id.
    for await (const existing of paymentProvider().refundsOf(intentId))
      if (existing.refundId === id) return existing;
  }
  try {
    return await paymentProvider().refund({ intentId, refundId: id, amountCents, idempotencyKey: id });
  } catch (error) {
    // A key reused with other values means that a refund exists, so staff must check it.
    if (!isProviderError(error, "refused") || error.code === "idempotency_error") throw error;
    return { id: null, state: "failed", failureReason: error.code ?? "refused" };
  }
}

/**
 * Stores the provider's result and books it. A final state stays, except that the bank may return a completed refund.
 * Returns the id of the next attempt after a failure, or null.
 */
async function applyResult(tx: Tx, { id, order_id, amount_cents }: RefundRow, result: RefundResult) {
  const order = await lockOrder(tx, order_id);
  const [previous] = await tx
    .select({ state: refunds.state, providerId: refunds.providerId })
    .from(refunds)
    .where(eq(refunds.id, id))
    .for("update");
  if (!order || !previous || previous.state === "failed") return null;
  if (previous.state === "succeeded" && result.state !== "failed") return null;
  await tx
    .update(refunds)
    .set({ state: result.state, providerId: result.id ?? previous.providerId, updatedAt: shopNow })
    .where(eq(refunds.id, id));
  const posting = { orderId: order.id, amountCents: amount_cents };
  if (result.state === "succeeded") {
    await postLedger(tx, { ...posting, transferId: id, debit: "refunds", credit: "provider_cash" });
    await queueOrderMail(tx, order, "refund", { refundId: id }, `refund:${id}`);
  }
  if (result.state !== "failed") return null;
  if (previous.state === "succeeded")
    await postLedger(tx, {
      ...posting,
      transferId: `${id}:failed`,
      debit: "provider_cash",
      credit: "refunds",
    });
  return retryFailedRefund(tx, order, { id, amountCents: amount_cents, reason: result.failureReason });
}

type OverdueLine = { id: string; quantity: number; total_cents: number; assigned_units: number };

/** Refunds waiting lines that missed their deadline; delivered lines stay delivered. */
export async function refundOverdueLines(orderId: string): Promise<void> {
  await transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order?.status !== "processing") return;
    const overdue = await tx.execute<OverdueLine>(sql`
      select l.id, l.quantity, l.total_cents, (select count(*)::int from keys k where k.order_line_id = l.id and k.state = 'assigned') as assigned_units
      from order_lines l where l.order_id = ${orderId} and l.state = 'waiting' and l.deliver_by <= shop_now()`);
    for (const line of overdue) {
      const missingUnits = line.quantity - line.assigned_units;
      const amountCents = splitByLargestRemainder(line.total_cents, [missingUnits, line.assigned_units])[0]!;
      const state = line.assigned_units > 0 ? "assigned" : "refunded";
      await tx
        .update(orderLines)
        .set({ state, refundedQuantity: missingUnits, refundedCents: amountCents })
        .where(eq(orderLines.id, line.id));
      if (amountCents > 0)
        await openRefund(tx, order, { lineId: line.id, amountCents, reason: "not_delivered" });
    }
    if (overdue.length > 0) await closeAfterRefund(tx, order, "not_delivered");
  });
}

/** Updates the order after refunds of its lines: refunded when all lines are, shipped when no line waits. */
export async function closeAfterRefund(tx: Tx, order: LockedOrder, reason: string): Promise<void> {
  const states = await tx
    .selectDistinct({ state: orderLines.state })
    .from(orderLines)
    .where(eq(orderLines.orderId, order.id));
  const hasLines = (state: LineState) => states.some((row) => row.state === state);
  if (hasLines("waiting") || hasLines("reserved")) return;
  if (!hasLines("assigned")) await transition(tx, order, "refunded", { reason });
  else if (order.status === "processing") await transition(tx, order, "assigned", { reason });
}

type FailedAttempt = { id: string; amountCents: number; reason: string | null };

/**
 * Queues the next attempt of a failed refund after a pause, under a new id and idempotency key. After the last attempt
 * it notifies the shopper and staff that the refund must be paid by other means. Returns the id of the next attempt, or
 * null. The refund must be stored as failed.
 */
async function retryFailedRefund(tx: Tx, order: LockedOrder, failure: FailedAttempt): Promise<string | null> {
  const [failures] = await tx.execute<{ n: number }>(sql`
    select count(*)::int as n from refunds f join refunds r on r.id = ${failure.id} and f.order_id = r.order_id
      and f.order_line_id is not distinct from r.order_line_id and f.reason = r.reason
      and f.intent_id is not distinct from r.intent_id where f.state = 'failed'`);
  const pause = REFUND_RETRY_MINUTES[(failures?.n ?? 1) - 1];
  if (pause === undefined) {
    await giveUp(tx, order, failure);
    return null;
  }
  const id = newId("rfd");
  // `updated_at` lies in the future until the pause ends, so that the sweeper does not send the refund early.
  const [next] = await tx.execute<{ run_at: string }>(sql`
    insert into refunds (id, order_id, order_line_id, intent_id, amount_cents, reason, updated_at)
    select ${id}, order_id, order_line_id, intent_id, amount_cents, reason, shop_now() + make_interval(mins => ${pause})
    from refunds where id = ${failure.id} on conflict do nothing returning updated_at as run_at`);
  if (!next) return null; // another attempt exists already
  await enqueue(tx, SendRefund, { refundId: id }, { jobKey: id, runAt: new Date(next.run_at) });
  return id;
}

async function giveUp(tx: Tx, order: LockedOrder, { id, amountCents, reason }: FailedAttempt): Promise<void> {
  const detail = { refundId: id, amountCents, reason };
  await audit({ actor: "system", action: "refund_failed", subject: order.id, detail }, tx);
  log.error({ orderId: order.id, ...detail }, "refund failed: pay it by other means");
  await queueOrderMail(tx, order, "refund-failed", { refundId: id }, `refund-failed:${id}`);
}
