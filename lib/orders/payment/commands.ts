import { sql } from "drizzle-orm";
import { client, db, statements, type Tx, transaction } from "@/db/client";
import { queueMail } from "@/lib/notifications/commands";
import { cancelOrder } from "@/lib/orders/cancellation/commands";
import type { FreePaymentInput, OrderStatusView, UpdateStatusInput } from "@/lib/orders/contract";
import { KEYS_BEFORE_EMAILS, SendRefund, SettlePayment, UpdateDispute } from "@/lib/orders/contract-jobs";
import { assignOrder, assignPaidOrder, enqueueAssign } from "@/lib/orders/fulfilment/commands";
import { findRefundByEvent, openRefund } from "@/lib/orders/refunds/commands";
import type { OrderStatus } from "@/lib/orders/rules";
import { type LockedOrder, lockOrder, transition } from "@/lib/orders/status/commands";
import { markWebhookProcessed, postLedger, storeWebhookEvent } from "@/lib/payments/commands";
import type { PaymentState } from "@/lib/payments/rules";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { QueuedJob } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { IntentView } from "@/lib/platform/stripe/views";
import type { WebhookEvent } from "@/lib/platform/stripe/webhook";
import { reacquireHold } from "./commands-late-payment";
import { handleAmountMismatch, refundSecondPayment } from "./commands-mismatch";

/**
 * Receives a webhook event: verifies it, stores it by its id and queues its settlement before answering
 * (docs/reliability.md#payment-provider). A repeated event changes nothing.
 * @throws InvalidWebhookError
 */
export async function receiveWebhook(rawBody: Uint8Array, signature: string | null): Promise<void> {
  const event = paymentProvider().parseWebhook(rawBody, signature);
  const refundId = event.objectType === "refund" ? await findRefundByEvent(event) : null;
  // An event about a refund also updates the refund, in a job of its own, because that may fail long after the
  // payment is settled. Its job key is its own:
  // a job that replaced a running one would stay in the queue if it failed.
  const look = refundId && { refundId, providerId: event.objectId };
  if (look) await storeWebhookEvent(event, [SendRefund, look, { jobKey: event.id }], "processed");
  else await storeWebhookEvent(event, settlementOf(event));
}

/** The job that settles the object of an event and marks the event as processed. */
function settlementOf({ id: eventId, objectId, objectType, intentId }: WebhookEvent): QueuedJob | undefined {
  if (objectType === "dispute") return [UpdateDispute, { disputeId: objectId, eventId }, { jobKey: eventId }];
  return intentId
    ? [SettlePayment, { intentId, eventId }, { jobKey: eventId, ...KEYS_BEFORE_EMAILS }]
    : undefined;
}

type SeenPayment = {
  id: string;
  order_id: string;
  state: PaymentState;
  amount_cents: number;
  currency: string;
  seen: string;
};

/** The caller: an event's job, which assigns keys itself, or one that leaves that to a job. */
type Asker = { eventId?: string; assignsItself?: boolean };

/**
 * Updates a payment and its order to the provider's current state. Webhooks, the sweeper and update-status share it,
 * so order and repetition of events do not matter. Rereads when the row changed in the meantime. Marks the event as
 * processed in the same transaction; a job assigns the keys.
 */
export async function settlePayment(intentId: string): Promise<void> {
  await settle(intentId);
}

/**
 * Settles the payment and, after the commit, assigns the keys. A crash between the two is repaired by the retry; a
 * failed assignment gets a job of its own that needs no provider
 * (docs/decisions/0009-assign-keys-after-the-payment.md).
 */
export async function settleAndAssign(intentId: string, eventId?: string): Promise<void> {
  const order = await settle(intentId, { eventId, assignsItself: true });
  if (order?.status !== "paid") return;
  try {
    await assignPaidOrder(order.id);
  } catch (error) {
    log.warn({ err: error, orderId: order.id }, "keys are handed over by a job of their own");
    await transaction((tx) => enqueueAssign(tx, order.id));
  }
}

/** Returns the order as it is then, or null for an unknown payment. */
async function settle(intentId: string, asker: Asker = {}): Promise<LockedOrder | null> {
  for (let round = 0; round < 6; round += 1) {
    const [payment] = await client()<SeenPayment[]>`
      select id, order_id, state, amount_cents, currency, updated_at::text as seen from payments where intent_id = ${intentId}`;
    if (!payment) {
      log.warn({ intentId }, "a payment that is not ours, or not recorded yet");
      await markWebhookProcessed(db, asker.eventId);
      return null;
    }
    const intent = await paymentProvider().retrieveIntent(intentId);
    const order = await transaction((tx) => applyIntent(tx, payment, intent, asker));
    if (order) return order;
  }
  throw new Error(`payment ${intentId} keeps changing`);
}

/** Returns null when the payment changed since it was read. */
async function applyIntent(
  tx: Tx,
  payment: SeenPayment,
  intent: IntentView,
  asker: Asker,
): Promise<LockedOrder | null> {
  // Locks the order before it writes the payment.
  const order = await lockOrder(tx, payment.order_id);
  const kept = await keepState(tx, payment, intent);
  if (!order) throw new Error(`payment ${payment.id} has no order`);
  if (!kept) {
    if (intent.state === "succeeded") await refundSecondPayment(tx, order, payment.id, intent);
    if (!(await isSettled(tx, payment.id))) return null;
    await markWebhookProcessed(tx, asker.eventId);
    return order;
  }
  // Marks the event first, because the following steps may use a savepoint and roll it back.
  await markWebhookProcessed(tx, asker.eventId);
  await applyState(tx, order, payment, { intent, asker });
  return order;
}

/** Applies the provider's state to the order. */
async function applyState(
  tx: Tx,
  order: LockedOrder,
  payment: SeenPayment,
  { intent, asker }: { intent: IntentView; asker: Asker },
): Promise<void> {
  if (intent.state === "succeeded") return applySuccess(tx, order, payment, { intent, asker });
  if (intent.state === "processing" && order.status === "pending")
    await transition(tx, order, "payment_started");
  else if (order.status === "processingPayment" && intent.state !== "processing")
    await applyFailure(tx, order, payment, intent);
}

/**
 * Writes the provider's state unless the row changed in the meantime. A final state stays, except that late money
 * counts.
 */
async function keepState(tx: Tx, payment: SeenPayment, intent: IntentView): Promise<boolean> {
  const kept = await statements(tx)`
    update payments p set state = ${intent.state}, last_error = ${intent.lastError?.declineCode ?? intent.lastError?.code ?? null},
      method = coalesce(${intent.paidWith?.method ?? null}, method),
      card_fingerprint = coalesce(${intent.paidWith?.cardFingerprint ?? null}, card_fingerprint), updated_at = shop_now()
    where id = ${payment.id} and updated_at = ${payment.seen}::timestamptz
      and (state not in ('succeeded', 'canceled') or state = ${intent.state}
        or (state = 'canceled' and ${intent.state} = 'succeeded' and not exists (
          select 1 from payments other where other.order_id = p.order_id and other.state <> 'canceled')))
    returning id`;
  return kept.length === 1;
}

async function isSettled(tx: Tx, paymentId: string): Promise<boolean> {
  const rows = await tx.execute(
    sql`select 1 from payments where id = ${paymentId} and state in ('succeeded', 'canceled')`,
  );
  return rows.length === 1;
}

/** A verified success: paid; for a cancelled order, reacquired or refunded. */
async function applySuccess(
  tx: Tx,
  order: LockedOrder,
  payment: SeenPayment,
  { intent, asker }: { intent: IntentView; asker: Asker },
): Promise<void> {
  if (!["pending", "processingPayment", "cancelled"].includes(order.status)) return;
  const exact =
    intent.amountReceivedCents === payment.amount_cents &&
    intent.currency === payment.currency &&
    payment.amount_cents === order.totalCents;
  if (!exact) return handleAmountMismatch(tx, order, payment.id, intent);
  const transactionId = intent.id;
  await postLedger(tx, {
    transferId: payment.id,
    orderId: order.id,
    debit: "provider_cash",
    credit: "sales",
    amountCents: payment.amount_cents,
  });
  if (order.status === "cancelled" && !(await reacquireHold(tx, order))) {
    await transition(tx, order, "refunded", { reason: "late_success", transactionId });
    await openRefund(tx, order, { lineId: null, amountCents: payment.amount_cents, reason: "paid_too_late" });
    return;
  }
  await transition(tx, order, "payment_verified", { transactionId });
  if (!asker.assignsItself) await enqueueAssign(tx, order.id);
}

async function applyFailure(
  tx: Tx,
  order: LockedOrder,
  payment: SeenPayment,
  intent: IntentView,
): Promise<void> {
  await transition(tx, order, "payment_failed");
  if (intent.state === "canceled") return; // cancelled, mostly by the shop itself: nothing failed
  const mail = {
    event: "payment-failed",
    to: order.sendEmail,
    locale: order.locale,
    refs: { orderId: order.id },
  } as const;
  await queueMail(tx, { ...mail, dedupeKey: `payment-failed:${payment.id}:${payment.seen}` });
}

/**
 * Handles a requested status (docs/product.md#42-order-status): `cancelled` cancels; anything else reconciles with
 * the provider and returns the true status.
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
  if (payment.intent_id) await settleForShopper(payment.intent_id);
  const [order] = await db.execute<{ status: OrderStatus }>(
    sql`select status from orders where id = ${input.order_id}`,
  );
  const believed = ["paid", "processing", "shipped", "completed"].includes(input.status);
  if (believed && order!.status === "pending") throw new ShopError("payment_unconfirmed");
  return { order_id: input.order_id, status: order!.status };
}

async function settleForShopper(intentId: string): Promise<void> {
  try {
    await settlePayment(intentId);
  } catch (error) {
    if (isProviderError(error)) throw new ShopError("provider_unavailable", { cause: error });
    throw error;
  }
}

/**
 * Completes an order with a total of zero: paid, keys assigned and sent, in one call
 * (docs/product.md#84-free-passes-and-purchase-limits). Repeating it gives the same answer.
 * @throws ShopError order_unknown, free_payment_not_zero, order_not_payable, amount_differs, email_unverified
 */
export async function completeFreeOrder(
  viewer: UserViewer,
  input: FreePaymentInput,
): Promise<OrderStatusView> {
  return transaction(async (tx) => {
    const order = await lockOrder(tx, input.order_id, viewer.userId);
    if (!order) throw new ShopError("order_unknown");
    if (order.totalCents > 0) throw new ShopError("free_payment_not_zero");
    if (input.final_amount) throw new ShopError("amount_differs");
    // Free passes are one per person, and only a verified address identifies a person
    // (docs/product.md#6-roles-and-access).
    if (!viewer.emailVerified) throw new ShopError("email_unverified");
    if (order.status === "pending") {
      if (order.holdExpired) throw new ShopError("order_not_payable");
      await transition(tx, order, "free_completed");
      const status = await assignOrder(tx, order);
      // A free order is complete at once: the library shows the codes without the email.
      if (status === "shipped") await transition(tx, order, "delivered", { reason: "free" });
    }
    if (order.status === "cancelled") throw new ShopError("order_not_payable");
    return { order_id: order.id, status: order.status };
  });
}
