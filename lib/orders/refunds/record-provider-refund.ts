import { and, eq, inArray, sql } from "drizzle-orm";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { refundRequests, refunds } from "@/db/schema/payments";
import { quarantineKeys } from "@/lib/delivery/quarantine-keys";
import { releaseReservedKeys } from "@/lib/delivery/release-reserved-keys";
import { queueOrderMail } from "@/lib/orders/emails/queue-order-mail";
import { completeDelivered } from "@/lib/orders/fulfilment/complete-delivered";
import { enqueueAssignWaiting } from "@/lib/orders/fulfilment/enqueue-assign";
import { isPaid, type LineState } from "@/lib/orders/rules";
import { recordSales } from "@/lib/orders/sales/record-sales";
import { type LockedOrder, lockOrder } from "@/lib/orders/status/lock-order";
import { issueTaxDocuments } from "@/lib/orders/tax/issue-tax-documents";
import { PROVIDER_REFUND, type RefundEffects } from "@/lib/payments/rules";
import { audit } from "@/lib/platform/audit";
import { newId } from "@/lib/platform/crypto/ids";
import { log } from "@/lib/platform/log";
import { splitByLargestRemainder } from "@/lib/platform/money";
import { ProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { RefundView } from "@/lib/platform/stripe/views";
import { bookRefund, closeAfterRefund, coverRefunds } from "./book-refund";
import { GIVEN_UP_SQL } from "./given-up-sql";
import { nextPartSql } from "./open-refund";
import { capturedCentsSql } from "./refund-versions";

/**
 * Records and books a refund of one of our payments that the shop did not request: a second one for the same request,
 * because the provider ignored the idempotency key, or one made in the provider's dashboard. Its money first replaces
 * unsent refunds of the shop; the rest is spread over the order's lines. Safe to repeat.
 */
export async function recordProviderRefund(view: RefundView): Promise<void> {
  const { id: providerId, intentId, amountCents, refundId } = view;
  const [payment] = await db.execute<{ orderId: string; known: boolean }>(sql`
    select p.order_id as "orderId", exists (select from refunds r where r.provider_id = ${providerId}) as known
    from payments p where p.intent_id = ${intentId}`);
  if (!payment || payment.known || intentId === null) return;
  const { state, amountCents: confirmedCents } = await paymentProvider().retrieveRefund(providerId);
  if (confirmedCents !== amountCents || amountCents === 0)
    throw new ProviderError("invalid_answer", "retrieve_refund", "two answers name different amounts");
  if (state === "failed") return;
  await transaction(async (tx) => {
    const order = await lockOrder(tx, payment.orderId);
    const stored = await tx.execute(sql`
      select 1 from refunds where provider_id = ${providerId} or (id = ${refundId} and provider_id is null and state = 'pending')`);
    if (!order || stored.length > 0) return; // known, or the response to a running request
    const id = newId("rfd");
    const effects = await applyProviderRefund(tx, order, { intentId, amountCents });
    await tx.insert(refunds).values({
      id,
      orderId: order.id,
      intentId,
      amountCents,
      reason: PROVIDER_REFUND,
      state,
      providerId,
      effects,
      part: nextPartSql(order.id, PROVIDER_REFUND),
    });
    await bookRefund(tx, order, id, state === "succeeded" ? amountCents : 0);
    const detail = { refundId: id, providerId, amountCents, requested: refundId, ...effects };
    await audit({ actor: "system", action: "refund_found", subject: order.id, detail }, tx);
    log.error({ orderId: order.id, ...detail }, "the provider made a refund that the shop did not request");
    await closeReturnedLines(tx, order, effects);
    if (state === "succeeded") await queueOrderMail(tx, order, "refund", { refundId: id }, `refund:${id}`);
    await issueTaxDocuments(tx, order.id);
  });
}

/** Who decided the open request of a line that a refund of the provider has closed. */
export const DECIDED_BY = "provider";

type Returned = { intentId: string; amountCents: number };

/** Decides which refunds the money of a refund covers, before it is stored, and reduces them. */
async function applyProviderRefund(
  tx: Tx,
  order: LockedOrder,
  { intentId, amountCents }: Returned,
): Promise<RefundEffects> {
  const unsent = await findUnreturned(tx, order.id, intentId);
  const restCents = await coverRefunds(tx, unsent, amountCents);
  let covering = amountCents - restCents;
  const covered = unsent.flatMap(({ id, amount_cents }) => {
    const cents = Math.min(amount_cents, covering);
    covering -= cents;
    return cents > 0 ? [{ id, cents }] : [];
  });
  const isSpread = isPaid(order.status) && restCents > 0;
  return { covered, lines: isSpread ? await spread(tx, order.id, { intentId, amountCents, restCents }) : [] };
}

/**
 * The shop's refunds of this payment whose money is not on its way: not sent yet, or failed for good. One that a
 * process is sending is left to it.
 */
const findUnreturned = (tx: Tx, orderId: string, intentId: string) =>
  tx.execute<{ id: string; amount_cents: number }>(sql`
    select r.id, r.amount_cents from refunds r join orders o on o.id = r.order_id
    where r.order_id = ${orderId} and coalesce(r.intent_id, o.transaction_id) = ${intentId}
      and (r.state = 'pending' and r.provider_id is null and r.requested_at is null or r.state = 'failed' and ${GIVEN_UP_SQL})
    order by r.created_at, r.id for update of r`);

type LeftLine = {
  id: string;
  state: LineState;
  left_cents: number;
  refunded_quantity: number;
  key_ids: string[];
  captured_cents: number;
};

/**
 * The money of a refund of the payment that paid the order, spread over its lines by what is left of each. When nothing is
 * left of the order's money, all of its lines are closed, free ones too; else those of which nothing is left.
 */
async function spread(
  tx: Tx,
  orderId: string,
  { intentId, amountCents, restCents }: Returned & { restCents: number },
): Promise<RefundEffects["lines"]> {
  const lines = await tx.execute<LeftLine>(sql`
    select l.id, l.state, l.total_cents - l.refunded_cents as left_cents, l.refunded_quantity,
      (select coalesce(json_agg(k.id order by k.id), '[]') from keys k
        where k.order_line_id = l.id and k.state = 'assigned') as key_ids,
      ${capturedCentsSql("o.id")} as captured_cents
    from order_lines l join orders o on o.id = l.order_id
    where o.id = ${orderId} and o.transaction_id = ${intentId} and l.state in ('reserved', 'waiting', 'assigned')
    order by l.position`);
  const lefts = lines.map((line) => line.left_cents);
  const leftCents = lefts.reduce((sum, left) => sum + left, 0);
  const shares = splitByLargestRemainder(Math.min(restCents, leftCents), lefts);
  return lines.flatMap((line, index): RefundEffects["lines"] => {
    const cents = shares[index] ?? 0;
    const isClosed = line.captured_cents <= amountCents || (cents > 0 && cents === line.left_cents);
    if (!isClosed) return cents > 0 ? [{ id: line.id, cents, closed: null }] : [];
    const { state, refunded_quantity: refundedQuantity, key_ids: keyIds } = line;
    return [{ id: line.id, cents, closed: { state, refundedQuantity, keyIds } }];
  });
}

/** Books the shares of the lines. Locks the codes of closed lines for good, and releases what they held. */
async function closeReturnedLines(tx: Tx, order: LockedOrder, { lines }: RefundEffects): Promise<void> {
  if (lines.length === 0) return;
  const closedIds = lines.filter(({ closed }) => closed).map(({ id }) => id);
  await releaseReservedKeys(tx, closedIds);
  for (const { id, cents, closed } of lines) {
    if (closed) await quarantineKeys(tx, { lineId: id }, "shop");
    await tx.execute(sql`
      update order_lines set refunded_cents = refunded_cents + ${cents}
        ${closed ? sql`, state = 'refunded', refunded_quantity = quantity, deliver_by = null` : sql``}
      where id = ${id}`);
  }
  if (closedIds.length > 0)
    await tx
      .update(refundRequests)
      .set({ state: "approved", decidedAt: shopNow, decidedBy: DECIDED_BY })
      .where(and(inArray(refundRequests.orderLineId, closedIds), eq(refundRequests.state, "asked")));
  await recordSales(tx, order.id);
  if (closedIds.length === 0) return;
  await closeAfterRefund(tx, order, PROVIDER_REFUND);
  await completeDelivered(tx, order);
  await enqueueAssignWaiting(tx, await findPlans(tx, closedIds));
}

const findPlans = async (tx: Tx, lineIds: string[]): Promise<number[]> => {
  const rows = await tx.execute<{ plan_id: number }>(sql`
    select distinct plan_id from order_lines where id in ${lineIds}`);
  return rows.map((row) => row.plan_id);
};
