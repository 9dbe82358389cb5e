import { sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { queueMail } from "@/lib/notifications/commands";
import { SendRefund } from "@/lib/orders/contract-jobs";
import { type LockedOrder, lockOrder, transition } from "@/lib/orders/status/commands";
import { postLedger } from "@/lib/payments/commands";
import type { RefundState } from "@/lib/payments/rules";
import { newId } from "@/lib/platform/crypto/ids";
import { enqueue } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";
import { splitByLargestRemainder } from "@/lib/platform/money";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { RefundView } from "@/lib/platform/stripe/views";
import type { WebhookEvent } from "@/lib/platform/stripe/webhook";
import { retryFailedRefund } from "./commands-retry";

type OpenRefundInput = {
  /** null: the whole order */
  lineId: string | null;
  /** The intent to give back, where it is not the one that paid the order. */
  intentId?: string;
  amountCents: number;
  reason: string;
};

/**
 * Writes a refund down and queues it, in the transaction that owes it; the money moves outside of it. Throws when one
 * for the same reason is open or done already: whoever asks twice must know.
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
 * The refund that a notice is about; null when it is none of ours. The notice may be quicker than the answer that tells
 * the provider's id: then it goes by ours.
 */
export async function findRefundOf({ objectId, refundId }: WebhookEvent): Promise<string | null> {
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
/** What counts of the provider's word; without an id it took none. */
type RefundAnswer = Pick<RefundView, "state" | "failureReason"> & { id: string | null };

/** The provider keeps an idempotency key for 24 hours; a little less, so that nobody is late. */
const KEY_HOURS = 23;

/**
 * Sends a refund to the provider under its own id as key, or asks how the one that was sent goes, and books it on the
 * provider's word. Safe to run again; the provider forgets the key after a day, but knows the refund by its own id.
 * @param providerId what a notice has called it, where we do not know yet
 */
export async function sendRefund(refundId: string, providerId?: string): Promise<void> {
  const [refund] = await db.execute<RefundRow>(sql`
    select r.id, r.order_id, r.amount_cents, r.state, r.provider_id, coalesce(r.intent_id, o.transaction_id) as intent_id,
      r.created_at < shop_now() - make_interval(hours => ${KEY_HOURS}) as key_gone, r.updated_at > shop_now() as too_early
    from refunds r join orders o on o.id = r.order_id where r.id = ${refundId}`);
  if (!refund?.intent_id || refund.state === "failed" || refund.too_early) return;
  const sent = { ...refund, intent_id: refund.intent_id };
  const answer = (await toldOf(sent, providerId)) ?? (await askAbout(sent));
  const again = await db.transaction((tx) => keepAnswer(tx, refund, answer));
  if (again) log.warn({ refundId, again }, "a refund failed and is tried again later");
}

type SentRefund = RefundRow & { intent_id: string };

/** How a refund goes that a notice has told of before its answer came; null where that is another one. */
async function toldOf(refund: SentRefund, providerId: string | undefined): Promise<RefundView | null> {
  if (refund.provider_id || !providerId) return null;
  const told = await paymentProvider().retrieveRefund(providerId);
  const { id, intent_id, amount_cents } = refund;
  const isOurs = told.refundId === id && told.intentId === intent_id && told.amountCents === amount_cents;
  return isOurs ? told : null;
}

/** How the refund goes at the provider; one that was never sent is sent. A definite no is a failed attempt. */
async function askAbout(refund: SentRefund): Promise<RefundAnswer> {
  const { id, intent_id: intentId, amount_cents: amountCents } = refund;
  if (refund.provider_id) return paymentProvider().retrieveRefund(refund.provider_id);
  if (refund.key_gone) {
    // The provider has forgotten the key, but knows the refund by our name for it, should the answer have been lost.
    for await (const known of paymentProvider().refundsOf(intentId)) if (known.refundId === id) return known;
  }
  try {
    return await paymentProvider().refund({ intentId, refundId: id, amountCents, idempotencyKey: id });
  } catch (error) {
    // The same key with other values would say that something is there: that is for somebody to look at.
    if (!isProviderError(error, "refused") || error.code === "idempotency_error") throw error;
    return { id: null, state: "failed", failureReason: error.code ?? "refused" };
  }
}

/** The end is the end, except that a refund which the provider called done may still come back from the bank. */
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

/** Gives back what waiting lines of an order could not deliver in time; what was delivered stays delivered. */
export async function refundOverdueLines(orderId: string): Promise<void> {
  await db.transaction(async (tx) => {
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

/** Moves an order on after lines of it were refunded: refunded when all are, served when nothing is awaited any more. */
export async function closeAfterRefund(tx: Tx, order: LockedOrder, reason: string): Promise<void> {
  const states = await tx.execute<{ state: string }>(
    sql`select distinct state from order_lines where order_id = ${order.id}`,
  );
  const has = (state: string) => states.some((row) => row.state === state);
  if (has("waiting") || has("reserved")) return;
  if (!has("assigned")) await transition(tx, order, "refunded", { reason });
  else if (order.status === "processing") await transition(tx, order, "assigned", { reason });
}
