import { sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import { queueMail } from "@/lib/notifications/commands";
import { SendRefund } from "@/lib/orders/contract-jobs";
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
 * Stores a refund and queues it, in the transaction that owes it; the provider is called later. Throws when a refund
 * for the same reason exists, so that the caller learns of it.
 */
export async function openRefund(
  tx: Tx,
  order: LockedOrder,
  { lineId, intentId, amountCents, reason }: OpenRefundInput,
): Promise<void> {
  const [refund] = await tx.execute<{ id: string }>(sql`
    insert into refunds (id, order_id, order_line_id, intent_id, amount_cents, reason)
    values (${newId("rfd")}, ${order.id}, ${lineId}, ${intentId ?? null}, ${amountCents}, ${reason})
    on conflict do nothing returning id`);
  if (!refund) throw new Error(`order ${order.id}: a refund (${reason}) is there already`);
  await enqueue(tx, SendRefund, { refundId: refund.id }, { jobKey: refund.id });
}

/**
 * The refund that an event is about; null when it is unknown. The event may arrive before the provider's id is
 * stored: then our id in it is used.
 */
export async function findRefundByEvent({ objectId, refundId }: WebhookEvent): Promise<string | null> {
  const [refund] = await db.execute<{ id: string }>(
    sql`select id from refunds where provider_id = ${objectId} or (id = ${refundId} and provider_id is null)
      order by provider_id nulls last limit 1`,
  );
  return refund?.id ?? null;
}

type RefundRow = {
  id: string;
  order_id: string;
  amount_cents: number;
  state: RefundState;
  intent_id: string | null;
  provider_id: string | null;
  key_gone: boolean;
  too_early: boolean;
};
/** The relevant parts of the provider's answer; without an id it accepted none. */
type RefundAnswer = Pick<RefundView, "state" | "failureReason"> & { id: string | null };

/** The provider keeps an idempotency key for 24 hours; this leaves a margin. */
const KEY_HOURS = 23;

/**
 * Sends a refund to the provider with its own id as idempotency key, or asks for its state, and books the result.
 * Safe to repeat: after the key has expired the refund is found by our id in its metadata. @param providerId the
 * provider's id from an event, when it is not stored yet
 */
export async function sendRefund(refundId: string, providerId?: string): Promise<void> {
  const [refund] = await db.execute<RefundRow>(sql`
    select r.id, r.order_id, r.amount_cents, r.state, r.provider_id, coalesce(r.intent_id, o.transaction_id) as intent_id,
      r.created_at < shop_now() - make_interval(hours => ${KEY_HOURS}) as key_gone, r.updated_at > shop_now() as too_early
    from refunds r join orders o on o.id = r.order_id where r.id = ${refundId}`);
  if (!refund?.intent_id || refund.state === "failed" || refund.too_early) return;
  const sent = { ...refund, intent_id: refund.intent_id };
  const answer = (await toldOf(sent, providerId)) ?? (await askAbout(sent));
  const again = await transaction((tx) => keepAnswer(tx, refund, answer));
  if (again) log.warn({ refundId, again }, "a refund failed and is tried again later");
}

type SentRefund = RefundRow & { intent_id: string };

/** The state of the refund that an event named before its answer arrived; null when it is another refund. */
async function toldOf(refund: SentRefund, providerId: string | undefined): Promise<RefundView | null> {
  if (refund.provider_id || !providerId) return null;
  const told = await paymentProvider().retrieveRefund(providerId);
  const { id, intent_id, amount_cents } = refund;
  const isOurs = told.refundId === id && told.intentId === intent_id && told.amountCents === amount_cents;
  return isOurs ? told : null;
}

/** The refund's state at the provider; sends it when it was never sent. A definite refusal is a failed attempt. */
async function askAbout(refund: SentRefund): Promise<RefundAnswer> {
  const { id, intent_id: intentId, amount_cents: amountCents } = refund;
  if (refund.provider_id) return paymentProvider().retrieveRefund(refund.provider_id);
  if (refund.key_gone) {
    // The idempotency key has expired, but the provider's list contains our id if the answer was lost.
    for await (const known of paymentProvider().refundsOf(intentId)) if (known.refundId === id) return known;
  }
  try {
    return await paymentProvider().refund({ intentId, refundId: id, amountCents, idempotencyKey: id });
  } catch (error) {
    // A key reused with other values means that a refund exists: a person must look at it.
    if (!isProviderError(error, "refused") || error.code === "idempotency_error") throw error;
    return { id: null, state: "failed", failureReason: error.code ?? "refused" };
  }
}

/** A final state stays, except that the bank may return a refund that was done. */
async function keepAnswer(
  tx: Tx,
  { id, order_id, amount_cents }: RefundRow,
  answer: RefundAnswer,
): Promise<string | null> {
  const order = await lockOrder(tx, order_id);
  const [before] = await tx.execute<{ state: RefundState }>(
    sql`select state from refunds where id = ${id} for update`,
  );
  if (!order || !before || before.state === "failed") return null;
  if (before.state === "succeeded" && answer.state !== "failed") return null;
  await tx.execute(
    sql`update refunds set state = ${answer.state}, provider_id = coalesce(${answer.id}, provider_id), updated_at = shop_now() where id = ${id}`,
  );
  const money = { orderId: order.id, amountCents: amount_cents };
  if (answer.state === "succeeded") {
    await postLedger(tx, { ...money, transferId: id, debit: "refunds", credit: "provider_cash" });
    await queueMail(tx, {
      event: "refund",
      to: order.sendEmail,
      locale: order.locale,
      refs: { refundId: id },
      dedupeKey: `refund:${id}`,
    });
  }
  if (answer.state !== "failed") return null;
  if (before.state === "succeeded")
    await postLedger(tx, { ...money, transferId: `${id}:failed`, debit: "provider_cash", credit: "refunds" });
  return retryFailedRefund(tx, order, { id, amountCents: amount_cents, reason: answer.failureReason });
}

type LateLine = { id: string; quantity: number; total_cents: number; has: number };

/** Refunds waiting lines that missed their deadline; delivered lines stay delivered. */
export async function refundOverdueLines(orderId: string): Promise<void> {
  await transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order?.status !== "processing") return;
    const late = await tx.execute<LateLine>(sql`
      select l.id, l.quantity, l.total_cents, (select count(*)::int from keys k where k.order_line_id = l.id and k.state = 'assigned') as has
      from order_lines l where l.order_id = ${orderId} and l.state = 'waiting' and l.deliver_by <= shop_now()`);
    for (const line of late) {
      const amountCents = splitByLargestRemainder(line.total_cents, [line.quantity - line.has, line.has])[0]!;
      await tx.execute(sql`
        update order_lines set state = ${line.has > 0 ? "assigned" : "refunded"},
          refunded_quantity = quantity - ${line.has}, refunded_cents = ${amountCents}
        where id = ${line.id}`);
      if (amountCents > 0)
        await openRefund(tx, order, { lineId: line.id, amountCents, reason: "not_delivered" });
    }
    if (late.length > 0) await closeAfterRefund(tx, order, "not_delivered");
  });
}

/** Updates the order after refunds of lines: refunded when all are, shipped when nothing waits any more. */
export async function closeAfterRefund(tx: Tx, order: LockedOrder, reason: string): Promise<void> {
  const states = await tx.execute<{ state: string }>(
    sql`select distinct state from order_lines where order_id = ${order.id}`,
  );
  const has = (state: string) => states.some((row) => row.state === state);
  if (has("waiting") || has("reserved")) return;
  if (!has("assigned")) await transition(tx, order, "refunded", { reason });
  else if (order.status === "processing") await transition(tx, order, "assigned", { reason });
}

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
