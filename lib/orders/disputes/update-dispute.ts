import { and, eq, inArray, sql } from "drizzle-orm";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { orderLines } from "@/db/schema/orders";
import { disputes, payments, refundRequests } from "@/db/schema/payments";
import { releaseReservedKeys } from "@/lib/delivery/release-reserved-keys";
import { SendRefund } from "@/lib/orders/contract-jobs";
import { closeWarnings } from "@/lib/orders/fraud/close-warnings";
import { enqueueAssign, enqueueAssignWaiting } from "@/lib/orders/fulfilment/enqueue-assign";
import { settlePayment } from "@/lib/orders/payment/settle-payment";
import { closeAfterRefund, coverRefunds } from "@/lib/orders/refunds/book-refund";
import { takeBackKeys } from "@/lib/orders/returns/take-back-keys";
import { isPaid } from "@/lib/orders/rules";
import { recordSales } from "@/lib/orders/sales/record-sales";
import { type LockedOrder, lockOrder } from "@/lib/orders/status/lock-order";
import { issueTaxDocuments } from "@/lib/orders/tax/issue-tax-documents";
import { correctLedger } from "@/lib/payments/post-ledger";
import { audit } from "@/lib/platform/audit";
import { enqueue } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";
import { splitByLargestRemainder } from "@/lib/platform/money";
import { ProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { DisputeView } from "@/lib/platform/stripe/views";
import { findDisputeState } from "./find-dispute-state";
import { disputedTimeSql, resumeDelivery } from "./resume-delivery";

/**
 * Updates a dispute to the provider's current state (docs/product.md#810-disputes). While it is open, the order's codes
 * are locked and nothing is refunded or replaced. After a loss the money is booked as refunded, the lines count as
 * refunded and their codes stay locked. After a win everything continues. Safe to repeat, in any order of webhook
 * events.
 */
export async function updateDispute(disputeId: string): Promise<void> {
  const dispute = await paymentProvider().retrieveDispute(disputeId);
  const { intentId } = dispute;
  if (!intentId) return log.warn({ disputeId }, "dispute without a payment intent");
  let payment = await findPayment(intentId);
  if (payment?.state !== "succeeded") {
    // The event of the payment was lost or comes later. A dispute concerns a paid order.
    await settlePayment(intentId);
    payment = await findPayment(intentId);
  }
  if (!payment) return log.warn({ disputeId }, "dispute of an unknown payment");
  // The amount of a lost dispute is booked, so a second answer must confirm it.
  if (dispute.isLost && !isSameLoss(dispute, await paymentProvider().retrieveDispute(disputeId)))
    throw new ProviderError("invalid_answer", "retrieve_dispute", "two answers differ");
  await transaction(async (tx) => {
    await storeDispute(tx, payment.orderId, { ...dispute, intentId });
    await issueTaxDocuments(tx, payment.orderId);
  });
}

async function findPayment(intentId: string) {
  const [payment] = await db
    .select({ orderId: payments.orderId, state: payments.state })
    .from(payments)
    .where(eq(payments.intentId, intentId));
  return payment;
}

const isSameLoss = (first: DisputeView, second: DisputeView) =>
  second.isLost && first.amountCents === second.amountCents;

type PaymentDispute = DisputeView & { intentId: string };
type StoredDispute = Pick<typeof disputes.$inferSelect, "status" | "isOpen" | "amountCents">;

async function storeDispute(tx: Tx, orderId: string, dispute: PaymentDispute): Promise<void> {
  const order = await lockOrder(tx, orderId);
  if (!order) throw new Error(`dispute ${dispute.id} has no order`);
  const [previous] = await tx
    .select({ status: disputes.status, isOpen: disputes.isOpen, amountCents: disputes.amountCents })
    .from(disputes)
    .where(eq(disputes.id, dispute.id));
  const { id, intentId, amountCents, reason, status, isOpen, evidenceDueAt } = dispute;
  if (previous && !isNews(previous, dispute)) {
    await storeDueDate(tx, dispute);
    // What was left of the order's money may have been corrected since the loss was booked.
    if (previous.status === "lost") await bookLoss(tx, order, id, previous.amountCents);
    return;
  }
  // The day stays known after the provider has closed the dispute.
  const due = evidenceDueAt && { evidenceDueAt };
  const current = { amountCents, status, isOpen, closedAt: isOpen ? null : shopNow, ...due };
  await tx
    .insert(disputes)
    .values({ id, orderId, intentId, reason, ...current })
    .onConflictDoUpdate({ target: disputes.id, set: current });
  await closeWarnings(tx, orderId);
  const detail = { disputeId: id, status, reason, amountCents };
  const action = isOpen ? "dispute_open" : "dispute_closed";
  await audit({ actor: "system", action, subject: orderId, detail }, tx);
  if (!previous || dispute.isLost)
    log.error({ orderId, ...detail }, "payment is disputed: handle it in the provider's dashboard");
  // A dispute that is not lost takes no money; one that was lost before and is won after all gives it back.
  const lostCents = await bookLoss(tx, order, id, dispute.isLost ? amountCents : 0);
  if (isOpen) return;
  if (dispute.isLost) {
    // The bank has returned the money of the refunds that waited first, the oldest first.
    const restCents = await coverRefunds(tx, await findHeldRefunds(tx, intentId), lostCents);
    await closeLostLines(tx, order, dispute, restCents);
  } else await resumeOrder(tx, order);
  for (const refund of await findHeldRefunds(tx, intentId))
    await enqueue(tx, SendRefund, { refundId: refund.id }, { jobKey: refund.id });
}

/** The bank may move the day alone. */
async function storeDueDate(tx: Tx, { id, isOpen, evidenceDueAt }: PaymentDispute): Promise<void> {
  if (isOpen && evidenceDueAt)
    await tx
      .update(disputes)
      .set({ evidenceDueAt })
      .where(and(eq(disputes.id, id), eq(disputes.isOpen, true)));
}

/** False when nothing changed, or when the provider's response is older than the final state that is stored. */
const isNews = (previous: StoredDispute, { status, amountCents, isOpen }: PaymentDispute): boolean =>
  (previous.status !== status || previous.amountCents !== amountCents) && (previous.isOpen || !isOpen);

/**
 * Books a lost dispute like a refund (docs/decisions/0019-book-a-lost-dispute-as-a-refund.md), at most what is left of
 * the order's money, and returns that amount. What a bank takes beyond it is reported, because it is not the order's.
 */
async function bookLoss(tx: Tx, order: LockedOrder, disputeId: string, amountCents: number): Promise<number> {
  const [cash] = await tx.execute<{ left_cents: number }>(sql`
    select coalesce(sum(amount_cents), 0)::int as left_cents from ledger_entries
    where order_id = ${order.id} and account = 'provider_cash'
      and transfer_id <> ${disputeId} and not starts_with(transfer_id, ${`${disputeId}:`})`);
  const lostCents = Math.min(amountCents, Math.max(cash!.left_cents, 0));
  await correctLedger(tx, {
    transferId: disputeId,
    orderId: order.id,
    debit: "refunds",
    credit: "provider_cash",
    amountCents: lostCents,
  });
  if (lostCents < amountCents)
    log.error(
      { orderId: order.id, disputeId, amountCents, lostCents },
      "the bank took more for a dispute than was left of the order's payment",
    );
  return lostCents;
}

type OpenLine = { id: string; plan_id: number; left_cents: number };

/**
 * After the loss of the payment that paid the order: every line counts as refunded, by its share of the lost money, and
 * its codes are locked for good.
 */
async function closeLostLines(
  tx: Tx,
  order: LockedOrder,
  { id, intentId }: PaymentDispute,
  lostCents: number,
): Promise<void> {
  const lines = await tx.execute<OpenLine>(sql`
    select l.id, l.plan_id, l.total_cents - l.refunded_cents as left_cents
    from order_lines l join orders o on o.id = l.order_id
    where o.id = ${order.id} and o.transaction_id = ${intentId} and l.state in ('reserved', 'waiting', 'assigned')
    order by l.position`);
  if (lines.length === 0 || !isPaid(order.status)) return;
  const lefts = lines.map((line) => line.left_cents);
  const sharedCents = Math.min(
    lostCents,
    lefts.reduce((sum, left) => sum + left, 0),
  );
  const shares = splitByLargestRemainder(sharedCents, lefts);
  const lineIds = lines.map((line) => line.id);
  await releaseReservedKeys(tx, lineIds);
  for (const [index, line] of lines.entries()) {
    await takeBackKeys(tx, order.id, { lineId: line.id }, { actor: "shop" });
    await tx.execute(sql`
      update order_lines set state = 'refunded', refunded_quantity = quantity, deliver_by = null,
        refunded_cents = refunded_cents + ${shares[index] ?? 0} where id = ${line.id}`);
  }
  await recordSales(tx, order.id);
  await tx
    .update(refundRequests)
    .set({ state: "approved", decidedAt: shopNow, decidedBy: `dispute:${id}` })
    .where(and(inArray(refundRequests.orderLineId, lineIds), eq(refundRequests.state, "asked")));
  await closeAfterRefund(tx, order, "dispute_lost");
  const planIds = lines.map((line) => line.plan_id);
  await enqueueAssignWaiting(tx, planIds);
}

/**
 * After disputes that were not lost: keys are assigned and mailed as before, and vendors, waiting lines and unclaimed gifts
 * get back the time that they took.
 */
async function resumeOrder(tx: Tx, order: LockedOrder): Promise<void> {
  if (await findDisputeState(tx, order.id)) return;
  await tx.execute(sql`
    update refund_requests q set answer_by = q.answer_by + ${disputedTimeSql(order.id)}
    from order_lines l where l.id = q.order_line_id and l.order_id = ${order.id} and q.state = 'asked'`);
  await tx.execute(sql`
    update order_lines l set deliver_by = l.deliver_by + ${disputedTimeSql(order.id)}
    where l.order_id = ${order.id} and l.state = 'waiting'`);
  await resumeDelivery(tx, order.id);
  await recordSales(tx, order.id);
  if (order.status === "paid") await enqueueAssign(tx, order.id);
  if (order.status === "processing") {
    const waiting = await tx
      .select({ planId: orderLines.planId })
      .from(orderLines)
      .where(and(eq(orderLines.orderId, order.id), eq(orderLines.state, "waiting")));
    const planIds = waiting.map((line) => line.planId);
    await enqueueAssignWaiting(tx, planIds);
  }
}

/** The refunds of a payment that waited for the end of its dispute, oldest first. */
const findHeldRefunds = (tx: Tx, intentId: string): Promise<{ id: string; amount_cents: number }[]> =>
  tx.execute<{ id: string; amount_cents: number }>(sql`
    select r.id, r.amount_cents from refunds r join orders o on o.id = r.order_id
    where coalesce(r.intent_id, o.transaction_id) = ${intentId} and r.state = 'pending' and r.provider_id is null
    order by r.created_at, r.id`);
