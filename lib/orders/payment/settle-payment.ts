import { and, eq, inArray, sql } from "drizzle-orm";
import { db, statements, type Tx, transaction } from "@/db/client";
import { orders } from "@/db/schema/orders";
import { payments } from "@/db/schema/payments";
import { releaseOrder } from "@/lib/orders/cancellation/release-order";
import { storeChoiceOfPaid } from "@/lib/orders/delivery-options/choose-delivery";
import { isBuyerVerified, queueOrderMail } from "@/lib/orders/emails/queue-order-mail";
import { assignPaidOrder } from "@/lib/orders/fulfilment/assign-waiting-orders";
import { enqueueAssign } from "@/lib/orders/fulfilment/enqueue-assign";
import { openRefund } from "@/lib/orders/refunds/open-refund";
import { isPayable } from "@/lib/orders/rules";
import { type LockedOrder, lockOrder } from "@/lib/orders/status/lock-order";
import { transition } from "@/lib/orders/status/transition";
import { decideTaxOfPaid } from "@/lib/orders/tax/decide-tax";
import { issueTaxDocuments } from "@/lib/orders/tax/issue-tax-documents";
import { postLedger } from "@/lib/payments/post-ledger";
import { isRedirectMethod, REDIRECT_HOLD_LIMIT_MINUTES, REDIRECT_HOLD_MINUTES } from "@/lib/payments/rules";
import { markWebhookProcessed } from "@/lib/payments/store-webhook-event";
import { audit } from "@/lib/platform/audit";
import { log } from "@/lib/platform/log";
import { isProviderError, ProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { IntentView } from "@/lib/platform/stripe/views";
import { reacquireHold } from "./reacquire-hold";
import { resolveUnrecordedIntent } from "./resolve-unrecorded-intent";

/** A payment as read before the call of the provider; `readVersion` is its `updated_at`. */
type PaymentColumns = "id" | "orderId" | "state" | "method" | "amountCents" | "currency";
export type PaymentSnapshot = Pick<typeof payments.$inferSelect, PaymentColumns> & {
  readVersion: string;
};

/** `eventId`: the webhook event to mark as processed. `assignsKeys`: the caller assigns the keys; else a job does. */
type SettleOptions = { eventId?: string; assignsKeys?: boolean };

/**
 * Settles the payment and, after the commit, assigns the keys. A crash between the two is repaired by the retry; a
 * failed assignment gets its own job that needs no provider (docs/decisions/0009-assign-keys-after-the-payment.md).
 */
export async function settleAndAssign(intentId: string, eventId?: string): Promise<void> {
  const order = await settlePayment(intentId, { eventId, assignsKeys: true });
  if (order?.status !== "paid") return;
  try {
    await assignPaidOrder(order.id);
  } catch (error) {
    log.warn({ err: error, orderId: order.id }, "assigning keys failed; a job retries it");
    await transaction((tx) => enqueueAssign(tx, order.id));
  }
}

/**
 * Updates a payment and its order to the provider's current state. Webhooks, the sweeper and update-status share it,
 * so order and repetition of events do not matter. Rereads when the row changed in the meantime. Marks the event as
 * processed in the same transaction. Returns the order after the change, or null for an unknown payment.
 * @throws ProviderError `invalid_answer` for a success without a received amount: it is reported and retried
 */
export async function settlePayment(
  intentId: string,
  options: SettleOptions = {},
): Promise<LockedOrder | null> {
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const payment = await readPayment(intentId);
    if (!payment) {
      if (await resolveUnknownIntent(intentId)) continue;
      log.warn({ intentId }, "unknown payment");
      await markWebhookProcessed(db, options.eventId);
      return null;
    }
    const intent = await retrieveIntent(intentId, payment);
    const order = await transaction((tx) => applyIntent(tx, payment, intent, options));
    if (order) return order;
  }
  throw new Error(`payment ${intentId} keeps changing`);
}

/** Whether the intent is recorded by now; false for one that is not ours, or that the provider does not know. */
async function resolveUnknownIntent(intentId: string): Promise<boolean> {
  try {
    return await resolveUnrecordedIntent(await paymentProvider().retrieveIntent(intentId));
  } catch (error) {
    if (isProviderError(error, "unknown_object")) return false;
    throw error;
  }
}

/**
 * The intent as the provider has it. The received amount decides what is booked and refunded, so an unexpected one
 * counts only when a second response confirms it, and a success without any is ignored.
 */
export async function retrieveIntent(intentId: string, { orderId, amountCents }: PaymentSnapshot) {
  const intent = await paymentProvider().retrieveIntent(intentId);
  if (intent.state !== "succeeded" || intent.amountReceivedCents === amountCents) return intent;
  const again = await paymentProvider().retrieveIntent(intentId);
  const received = [intent.amountReceivedCents, again.amountReceivedCents];
  if (again.state === "succeeded" && received[0] === received[1] && received[0] !== 0) return again;
  log.error({ orderId, intentId, received }, "the provider reports a payment without a reliable amount");
  throw new ProviderError(
    "invalid_answer",
    "retrieve_intent",
    "succeeded without a reliable received amount",
  );
}

export async function readPayment(intentId: string): Promise<PaymentSnapshot | undefined> {
  const [payment] = await db.execute<PaymentSnapshot>(sql`
    select id, order_id as "orderId", state, method, amount_cents as "amountCents", currency, updated_at::text as "readVersion"
    from payments where intent_id = ${intentId}`);
  return payment;
}

/** Returns null when the payment changed since it was read. */
async function applyIntent(tx: Tx, payment: PaymentSnapshot, intent: IntentView, options: SettleOptions) {
  // Locks the order before it writes the payment.
  const order = await lockOrder(tx, payment.orderId);
  // Marks the event first, because the following steps may use a savepoint and roll it back.
  const isCurrent = await writePaymentState(tx, payment, intent, options.eventId);
  if (!order) throw new Error(`payment ${payment.id} has no order`);
  if (!isCurrent) {
    if (intent.state === "succeeded") await refundSecondPayment(tx, order, payment.id, intent);
    if (!(await isSettled(tx, payment.id))) return null;
    await markWebhookProcessed(tx, options.eventId);
    return order;
  }
  await applyState(tx, order, payment, intent, options);
  return order;
}

async function applyState(
  tx: Tx,
  order: LockedOrder,
  payment: PaymentSnapshot,
  intent: IntentView,
  options: SettleOptions,
): Promise<void> {
  if (intent.state === "succeeded") return applySuccess(tx, order, payment, intent, options);
  if (
    intent.state === "requires_action" &&
    isRedirectMethod(intent.method) &&
    (payment.state !== "requires_action" || payment.method !== intent.method)
  )
    await extendHold(tx, order);
  if (intent.state === "processing" && order.status === "pending")
    await transition(tx, order, "payment_started");
  else if (order.status === "processingPayment" && intent.state !== "processing")
    await applyFailure(tx, order, payment, intent);
}

/** A page of another provider takes time: the hold of an unpaid order that its buyer is paying there does not end meanwhile. */
async function extendHold(tx: Tx, order: LockedOrder): Promise<void> {
  if (order.status !== "pending" || order.cancelRequested) return;
  await tx.execute(sql`
    update orders set hold_ends_at = greatest(hold_ends_at, least(shop_now() + make_interval(mins => ${REDIRECT_HOLD_MINUTES}),
      created_at + make_interval(mins => ${REDIRECT_HOLD_LIMIT_MINUTES})))
    where id = ${order.id} and hold_ends_at > shop_now()`);
}

/**
 * Writes the provider's state, and that the event is processed; returns false when the row changed in the meantime. A final state
 * stays, except that a cancelled payment may still succeed.
 */
async function writePaymentState(
  tx: Tx,
  payment: PaymentSnapshot,
  intent: IntentView,
  eventId: string | null = null,
): Promise<boolean> {
  const updated = await statements(tx)<{ id: string }[]>`
    with written as (update payments p set state = ${intent.state}, last_error = ${intent.lastError?.declineCode ?? intent.lastError?.code ?? null},
      method = coalesce(${intent.paidWith?.method ?? (isRedirectMethod(intent.method) ? intent.method : null)}, method),
      card_fingerprint = coalesce(${intent.paidWith?.cardFingerprint ?? null}, card_fingerprint), updated_at = shop_now()
    where id = ${payment.id} and updated_at = ${payment.readVersion}::timestamptz
      and (state not in ('succeeded', 'canceled') or state = ${intent.state}
        or (state = 'canceled' and ${intent.state} = 'succeeded' and not exists (
          select 1 from payments other where other.order_id = p.order_id and other.state <> 'canceled')))
    returning id), marked as (
      update webhook_events set processed_at = shop_now()
      where id = ${eventId} and processed_at is null and exists (select from written))
    select id from written`;
  return updated.length === 1;
}

async function isSettled(tx: Tx, paymentId: string): Promise<boolean> {
  const isFinal = inArray(payments.state, ["succeeded", "canceled"]);
  return (await tx.$count(payments, and(eq(payments.id, paymentId), isFinal))) === 1;
}

/**
 * Marks the order as paid. One that its buyer cancelled is refunded; one whose hold was released is reacquired, or
 * refunded where that is not possible.
 */
async function applySuccess(
  tx: Tx,
  order: LockedOrder,
  payment: PaymentSnapshot,
  intent: IntentView,
  options: SettleOptions,
): Promise<void> {
  if (!["pending", "processingPayment", "cancelled"].includes(order.status)) return;
  const amountMatches =
    intent.amountReceivedCents === payment.amountCents &&
    intent.currency === payment.currency &&
    payment.amountCents === order.totalCents;
  if (!amountMatches) return handleAmountMismatch(tx, order, payment.id, intent);
  const transactionId = intent.id;
  await bookPayment(tx, order.id, payment.id, payment.amountCents);
  const refundAll = async (reason: "cancelled" | "paid_too_late") => {
    await transition(tx, order, "refunded", { reason: "late_success", transactionId });
    await openRefund(tx, order, { lineId: null, amountCents: payment.amountCents, reason });
  };
  if (order.cancelRequested) {
    if (isPayable(order.status)) {
      await transition(tx, order, "cancelled");
      await releaseOrder(tx, order);
    }
    return refundAll("cancelled");
  }
  if (order.status === "cancelled" && !(await reacquireHold(tx, order))) return refundAll("paid_too_late");
  // Before the order's country follows the card: what the buyer named is another piece of evidence.
  const country = intent.paidWith?.cardCountry ?? null;
  await decideTaxOfPaid(tx, order.id, country);
  // An order whose country no one has named follows its card's (docs/product.md#82-withdrawal).
  if (country)
    await tx
      .update(orders)
      .set({ country: sql`coalesce(${orders.country}, ${country})` })
      .where(eq(orders.id, order.id));
  // A payment that was opened with `choose_later` may have no delivery choice.
  await storeChoiceOfPaid(tx, order.id, order.locale);
  await transition(tx, order, "payment_verified", { transactionId });
  if (!options.assignsKeys) await enqueueAssign(tx, order.id);
  await issueTaxDocuments(tx, order.id);
}

const bookPayment = (tx: Tx, orderId: string, transferId: string, amountCents: number) =>
  postLedger(tx, { transferId, orderId, debit: "provider_cash", credit: "sales", amountCents });

/**
 * Handles a payment whose amount differs from the order: books it, refunds it, releases the order, and the refund
 * email informs the shopper.
 */
async function handleAmountMismatch(
  tx: Tx,
  order: LockedOrder,
  paymentId: string,
  intent: IntentView,
): Promise<void> {
  await reportPayment(tx, order, intent, "payment_amount_mismatch");
  if (isPayable(order.status)) {
    await transition(tx, order, "cancelled", { reason: "amount_differs" });
    await releaseOrder(tx, order);
  }
  await transition(tx, order, "refunded", { reason: "amount_differs", transactionId: intent.id });
  await bookAndRefund(tx, order, paymentId, intent, "amount_differs");
}

/** Books and refunds, once, a payment that succeeded although it was cancelled and the order has another one. */
async function refundSecondPayment(tx: Tx, order: LockedOrder, paymentId: string, intent: IntentView) {
  const [secondPayment] = await tx.execute<{ paid_twice: boolean }>(sql`
    select bool_or(other.state = 'succeeded') as paid_twice
    from payments p join payments other on other.order_id = p.order_id and other.state <> 'canceled'
    where p.id = ${paymentId} and p.state = 'canceled' and not exists (select from ledger_entries e where e.transfer_id = p.id)
    group by p.id`);
  if (!secondPayment) return;
  await reportPayment(tx, order, intent, "payment_twice");
  const reason = secondPayment.paid_twice ? "paid_twice" : "second_payment";
  await bookAndRefund(tx, order, paymentId, intent, reason);
}

async function bookAndRefund(
  tx: Tx,
  order: LockedOrder,
  paymentId: string,
  intent: IntentView,
  reason: "amount_differs" | "paid_twice" | "second_payment",
): Promise<void> {
  await bookPayment(tx, order.id, paymentId, intent.amountReceivedCents);
  // The provider may have paid back a part on its own, before the payment was known here.
  const amountCents = await findSurplus(tx, order.id, intent);
  if (amountCents > 0)
    await openRefund(tx, order, { lineId: null, intentId: intent.id, amountCents, reason });
}

/** What a payment received beyond the total of the order that it paid, less its refunds that belong to no line, in cents. */
export async function findSurplus(
  tx: Tx,
  orderId: string,
  { id, amountReceivedCents }: IntentView,
): Promise<number> {
  const [owed] = await tx.execute<{ cents: number }>(sql`
    select (case when o.paid_at is not null and o.transaction_id = ${id} then o.total_cents else 0 end
      + (select coalesce(sum(r.amount_cents), 0) from refunds r where r.order_id = o.id and r.order_line_id is null
        and coalesce(r.intent_id, o.transaction_id) = ${id} and r.state not in ('failed', 'cancelled')))::int as cents
    from orders o where o.id = ${orderId}`);
  return amountReceivedCents - owed!.cents;
}

export async function reportPayment(
  tx: Tx,
  order: LockedOrder,
  intent: IntentView,
  action: string,
): Promise<void> {
  const detail = { received: intent.amountReceivedCents, currency: intent.currency, intent: intent.id };
  await audit({ actor: "system", action, subject: order.id, detail }, tx);
  log.error({ orderId: order.id, ...detail }, action);
}

async function applyFailure(tx: Tx, order: LockedOrder, payment: PaymentSnapshot, intent: IntentView) {
  await transition(tx, order, "payment_failed");
  if (intent.state === "canceled") return; // cancelled, mostly by the shop itself, so nothing failed
  if (order.cancelRequested) return; // unwanted, so no one is asked to try again
  if (!(await isBuyerVerified(tx, order.userId))) return;
  const dedupeKey = `payment-failed:${payment.id}:${payment.readVersion}`;
  await queueOrderMail(tx, order, "payment-failed", { orderId: order.id }, dedupeKey);
}
