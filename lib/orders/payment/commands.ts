import { and, eq, inArray, sql } from "drizzle-orm";
import { db, statements, type Tx, transaction } from "@/db/client";
import { orders } from "@/db/schema/orders";
import { payments } from "@/db/schema/payments";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { readStatus } from "@/lib/orders/cancellation/close-unpaid-order";
import { releaseOrder } from "@/lib/orders/cancellation/release-order";
import type { FreePaymentInput, OrderStatusView, UpdateStatusInput } from "@/lib/orders/contract";
import { SendRefund, SettlePayment, UpdateDispute, UpdateRefunds } from "@/lib/orders/contract-jobs";
import { chooseDeliveryByPaying, storeChoiceOfPaid } from "@/lib/orders/delivery-options/commands";
import type { StartPaymentInput } from "@/lib/orders/delivery-options/contract";
import { isBuyerVerified, queueOrderMail } from "@/lib/orders/emails/commands";
import { assignOrder, assignPaidOrder, enqueueAssign } from "@/lib/orders/fulfilment/commands";
import { findRefundByEvent, sendRefund } from "@/lib/orders/refunds/commands";
import { openRefund } from "@/lib/orders/refunds/commands-books";
import { recordProviderRefund } from "@/lib/orders/refunds/commands-provider";
import { requireMayKeepUnseen } from "@/lib/orders/returns/queries";
import { isPaid, isPayable } from "@/lib/orders/rules";
import { type LockedOrder, lockOrder, transition } from "@/lib/orders/status/commands";
import { callProvider } from "@/lib/payments/cards/queries";
import {
  correctLedger,
  createPaymentIntent,
  markWebhookProcessed,
  postLedger,
  storeWebhookEvent,
} from "@/lib/payments/commands";
import type { PaymentIntentView } from "@/lib/payments/contract";
import { audit } from "@/lib/platform/audit";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { enqueue, type QueuedJob } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";
import { isProviderError, ProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { IntentView } from "@/lib/platform/stripe/views";
import type { WebhookEvent } from "@/lib/platform/stripe/webhook";
import { resolveUnrecordedIntent } from "./commands-duplicates";
import { reacquireHold } from "./commands-late-payment";

/**
 * Receives a webhook event: verifies it, stores it by its id and queues its settlement before answering
 * (docs/reliability.md#payment-provider). A repeated event changes nothing.
 * @throws InvalidWebhookError
 */
export async function receiveWebhook(rawBody: Uint8Array, signature: string | null): Promise<void> {
  const event = paymentProvider().parseWebhook(rawBody, signature);
  const refundId = event.objectType === "refund" ? await findRefundByEvent(event) : null;
  if (!refundId) return storeWebhookEvent(event, toSettlementJob(event));
  // A refund is updated by a job of its own, because it may fail long after the payment is settled. The job key is the
  // event's id, because a job that replaced a running one would stay in the queue if it failed.
  const payload = { refundId, providerId: event.objectId };
  await storeWebhookEvent(event, [SendRefund, payload, { jobKey: event.id }], "processed");
}

/** Queues the job of a stored event that is not processed again. Returns false when there is none. */
export async function requeueWebhookEvent(tx: Tx, eventId: string): Promise<boolean> {
  const [event] = await tx.execute<Pick<WebhookEvent, "objectId" | "objectType" | "intentId">>(sql`
    select object_id as "objectId", payload->>'object' as "objectType", payload->>'payment_intent' as "intentId"
    from webhook_events where id = ${eventId} and processed_at is null`);
  const job = event && toSettlementJob({ id: eventId, ...event });
  if (!job) return false;
  const [settle, payload, options] = job;
  await enqueue(tx, settle, payload, options);
  return true;
}

/** The job that settles the object of an event and marks the event as processed. */
function toSettlementJob({
  id: eventId,
  objectId,
  objectType,
  intentId,
}: Pick<WebhookEvent, "id" | "objectId" | "objectType" | "intentId">): QueuedJob | undefined {
  if (objectType === "dispute") return [UpdateDispute, { disputeId: objectId, eventId }, { jobKey: eventId }];
  if (!intentId) return undefined;
  // A refund that the shop did not ask for, or a charge of which something was refunded.
  const job = objectType === "refund" || objectType === "charge" ? UpdateRefunds : SettlePayment;
  return [job, { intentId, eventId }, { jobKey: eventId }];
}

/** A payment as read before the call of the provider; `readVersion` is its `updated_at`. */
type PaymentColumns = "id" | "orderId" | "state" | "amountCents" | "currency";
type PaymentSnapshot = Pick<typeof payments.$inferSelect, PaymentColumns> & {
  readVersion: string;
};

/** `eventId`: the webhook event to mark as processed. `assignsKeys`: the caller assigns the keys; else a job does. */
type SettleOptions = { eventId?: string; assignsKeys?: boolean };

/**
 * Settles the payment and, after the commit, assigns the keys. A crash between the two is repaired by the retry; a
 * failed assignment gets a job of its own that needs no provider
 * (docs/decisions/0009-assign-keys-after-the-payment.md).
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
 * Brings the refunds of a payment up to date with the provider: its own are recorded, those of the shop are checked. Events name
 * one refund or only the charge, so that all of the payment are read: order and repetition of events do not matter.
 */
export async function updateRefunds(intentId: string, eventId?: string): Promise<void> {
  if (await settlePayment(intentId))
    for await (const refund of paymentProvider().refundsOf(intentId)) {
      const stored = await findRefundByEvent({ objectId: refund.id, refundId: refund.refundId });
      if (stored) await sendRefund(stored, refund.id);
      else await recordProviderRefund(refund);
    }
  await markWebhookProcessed(db, eventId);
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
 * counts only when a second answer confirms it, and a success without any is no answer.
 */
async function retrieveIntent(intentId: string, { orderId, amountCents }: PaymentSnapshot) {
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

async function readPayment(intentId: string): Promise<PaymentSnapshot | undefined> {
  const [payment] = await db.execute<PaymentSnapshot>(sql`
    select id, order_id as "orderId", state, amount_cents as "amountCents", currency, updated_at::text as "readVersion"
    from payments where intent_id = ${intentId}`);
  return payment;
}

/** Returns null when the payment changed since it was read. */
async function applyIntent(tx: Tx, payment: PaymentSnapshot, intent: IntentView, options: SettleOptions) {
  // Locks the order before it writes the payment.
  const order = await lockOrder(tx, payment.orderId);
  const isCurrent = await writePaymentState(tx, payment, intent);
  if (!order) throw new Error(`payment ${payment.id} has no order`);
  if (!isCurrent) {
    if (intent.state === "succeeded") await refundSecondPayment(tx, order, payment.id, intent);
    if (!(await isSettled(tx, payment.id))) return null;
    await markWebhookProcessed(tx, options.eventId);
    return order;
  }
  // Marks the event first, because the following steps may use a savepoint and roll it back.
  await markWebhookProcessed(tx, options.eventId);
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
  if (intent.state === "processing" && order.status === "pending")
    await transition(tx, order, "payment_started");
  else if (order.status === "processingPayment" && intent.state !== "processing")
    await applyFailure(tx, order, payment, intent);
}

/**
 * Writes the provider's state; returns false when the row changed in the meantime. A final state stays, except that a
 * cancelled payment may still succeed.
 */
async function writePaymentState(tx: Tx, payment: PaymentSnapshot, intent: IntentView): Promise<boolean> {
  const updated = await statements(tx)<{ id: string }[]>`
    update payments p set state = ${intent.state}, last_error = ${intent.lastError?.declineCode ?? intent.lastError?.code ?? null},
      method = coalesce(${intent.paidWith?.method ?? null}, method),
      card_fingerprint = coalesce(${intent.paidWith?.cardFingerprint ?? null}, card_fingerprint), updated_at = shop_now()
    where id = ${payment.id} and updated_at = ${payment.readVersion}::timestamptz
      and (state not in ('succeeded', 'canceled') or state = ${intent.state}
        or (state = 'canceled' and ${intent.state} = 'succeeded' and not exists (
          select 1 from payments other where other.order_id = p.order_id and other.state <> 'canceled')))
    returning id`;
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
  // An order whose country nobody has named follows its card's (docs/product.md#82-withdrawal).
  const country = intent.paidWith?.cardCountry;
  if (country)
    await tx
      .update(orders)
      .set({ country: sql`coalesce(${orders.country}, ${country})` })
      .where(eq(orders.id, order.id));
  // A payment that was opened with `choose_later` may have no delivery choice.
  await storeChoiceOfPaid(tx, order.id, order.locale);
  await transition(tx, order, "payment_verified", { transactionId });
  if (!options.assignsKeys) await enqueueAssign(tx, order.id);
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

/**
 * Repairs a difference between a payment and the provider: settles it, cancels it there when it is closed here, and
 * corrects what was booked to what was received. What was received beyond the booked amount is refunded.
 */
export async function repairPayment(intentId: string): Promise<void> {
  await settlePayment(intentId);
  const payment = await readPayment(intentId);
  if (!payment) return;
  const intent = await retrieveIntent(intentId, payment);
  if (payment.state === "canceled" && intent.state.startsWith("requires_"))
    await paymentProvider().cancelIntent(intentId);
  if (intent.state === "succeeded") await transaction((tx) => correctReceived(tx, payment, intent));
}

async function correctReceived(tx: Tx, payment: PaymentSnapshot, intent: IntentView): Promise<void> {
  const order = await lockOrder(tx, payment.orderId);
  const [booked] = await tx.execute(
    sql`select 1 from ledger_entries where transfer_id = ${payment.id} limit 1`,
  );
  if (!order || !booked) return;
  const differenceCents = await correctLedger(tx, {
    transferId: payment.id,
    orderId: order.id,
    debit: "provider_cash",
    credit: "sales",
    amountCents: intent.amountReceivedCents,
  });
  if (differenceCents === 0) return;
  await reportPayment(tx, order, intent, "payment_amount_corrected");
  const surplusCents = await findSurplus(tx, order.id, intent);
  if (surplusCents <= 0) return;
  const refund = { lineId: null, intentId: intent.id, amountCents: surplusCents, reason: "overpaid" };
  await openRefund(tx, order, { ...refund, mayRepeat: true });
}

/** What a payment received beyond the total of the order that it paid, less its refunds that belong to no line, in cents. */
async function findSurplus(
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

async function reportPayment(tx: Tx, order: LockedOrder, intent: IntentView, action: string): Promise<void> {
  const detail = { received: intent.amountReceivedCents, currency: intent.currency, intent: intent.id };
  await audit({ actor: "system", action, subject: order.id, detail }, tx);
  log.error({ orderId: order.id, ...detail }, action);
}

async function applyFailure(tx: Tx, order: LockedOrder, payment: PaymentSnapshot, intent: IntentView) {
  await transition(tx, order, "payment_failed");
  if (intent.state === "canceled") return; // cancelled, mostly by the shop itself, so nothing failed
  if (order.cancelRequested) return; // unwanted, so nobody is asked to try again
  if (!(await isBuyerVerified(tx, order.userId))) return;
  const dedupeKey = `payment-failed:${payment.id}:${payment.readVersion}`;
  await queueOrderMail(tx, order, "payment-failed", { orderId: order.id }, dedupeKey);
}

/**
 * Handles a requested status (docs/product.md#42-order-status): `cancelled` cancels; anything else reconciles with
 * the provider. Returns the actual status.
 * @throws ShopError order_unknown, payment_unconfirmed when the provider has no such payment
 */
export async function updateOrderStatus(
  viewer: UserViewer,
  input: UpdateStatusInput,
): Promise<OrderStatusView> {
  if (input.status === "cancelled") return cancelOrder(viewer, input);
  const [payment] = await db.execute<{ intent_id: string | null }>(sql`
    select p.intent_id from orders o left join payments p on p.order_id = o.id and p.state <> 'canceled'
    where o.id = ${input.order_id} and o.user_id = ${viewer.userId}`);
  if (!payment) throw new ShopError("order_unknown");
  const intentId = payment.intent_id;
  if (intentId) await callProvider(() => settlePayment(intentId));
  const status = await readStatus(input.order_id);
  if (isPaid(input.status) && status === "pending") throw new ShopError("payment_unconfirmed");
  return { order_id: input.order_id, status };
}

/**
 * Opens the payment of an order, or returns the open one, and stores the delivery choice before the client can pay
 * (docs/product.md#83-delivery). Repeating it with another choice changes it while the order is payable.
 * @throws ShopError order_unknown, order_not_payable, amount_differs, provider_unavailable, session_ended,
 * unseen_returns
 */
export async function startPayment(
  viewer: UserViewer,
  { keep_in_library, immediate_delivery, choose_later, ...input }: StartPaymentInput,
  locale: Locale = viewer.locale,
  ip?: string,
): Promise<PaymentIntentView> {
  // Before the provider is called; what the order chose before is checked below.
  if (keep_in_library || immediate_delivery === false)
    await requireMayKeepUnseen(db, viewer, input.order_id, ip);
  const intent = await createPaymentIntent(viewer, input);
  await transaction(async (tx) => {
    const order = await lockOrder(tx, input.order_id, viewer.userId);
    // Paid or cancelled during the call of the provider.
    if (!order || !isPayable(order.status) || order.cancelRequested) throw new ShopError("order_not_payable");
    const choice = { keep_in_library, immediate_delivery, choose_later };
    await chooseDeliveryByPaying(tx, { viewer, orderId: order.id, ip }, choice, locale);
  });
  return intent;
}

/**
 * Completes an order with a total of zero: paid, keys assigned and sent, in one call
 * (docs/product.md#84-free-passes-and-purchase-limits). With codes that lie unseen it is shipped, and completed when they
 * are shown. Repeating it returns the same result.
 * @throws ShopError order_unknown, free_payment_not_zero, order_not_payable, amount_differs, email_unverified,
 * unseen_returns
 */
export async function completeFreeOrder(
  viewer: UserViewer,
  input: FreePaymentInput,
  locale: Locale = viewer.locale,
  ip?: string,
): Promise<OrderStatusView> {
  return transaction(async (tx) => {
    const order = await lockOrder(tx, input.order_id, viewer.userId);
    if (!order) throw new ShopError("order_unknown");
    if (order.totalCents > 0) throw new ShopError("free_payment_not_zero");
    if (input.final_amount) throw new ShopError("amount_differs");
    // A free pass is limited to one per email identity, which needs a verified address
    // (docs/product.md#6-roles-and-access).
    if (!viewer.emailVerified) throw new ShopError("email_unverified");
    if (order.status === "pending") {
      if (order.holdExpired) throw new ShopError("order_not_payable");
      const choice = await chooseDeliveryByPaying(tx, { viewer, orderId: order.id, ip }, input, locale);
      await transition(tx, order, "free_completed");
      const status = await assignOrder(tx, order);
      // A free order is complete at once, unless its codes lie unseen: the library shows them without the email.
      const mailsCodes = choice.immediate_delivery && !choice.keep_in_library;
      if (status === "shipped" && mailsCodes) await transition(tx, order, "delivered", { reason: "free" });
    }
    if (order.status === "cancelled") throw new ShopError("order_not_payable");
    return { order_id: order.id, status: order.status };
  });
}
