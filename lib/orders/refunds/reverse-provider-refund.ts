import { eq, sql } from "drizzle-orm";
import { shopNow, type Tx } from "@/db/client";
import { refunds } from "@/db/schema/payments";
import { unlockKeys } from "@/lib/delivery/quarantine-keys";
import { requeueDroppedMails } from "@/lib/notifications/requeue-mails";
import { SendRefund } from "@/lib/orders/contract-jobs";
import { completeDelivered } from "@/lib/orders/fulfilment/complete-delivered";
import { recordSales } from "@/lib/orders/sales/record-sales";
import type { LockedOrder } from "@/lib/orders/status/lock-order";
import { transition } from "@/lib/orders/status/transition";
import { VENDOR_CONFIRMATION_HOURS } from "@/lib/payments/refunds/rules";
import { PROVIDER_REFUND, type RefundEffects } from "@/lib/payments/rules";
import { enqueue } from "@/lib/platform/jobs/queue";
import { addPart } from "./book-refund";
import { openRefund } from "./open-refund";
import { DECIDED_BY } from "./record-provider-refund";

/**
 * Reverses what a refund of the provider covered, because the bank has returned it: refunds of the shop that it covered
 * are sent again, the money of the lines can be refunded again, and delivered lines that it closed are open again with
 * their codes. Lines that were closed before their delivery stay closed, because their stock is sold: the shop refunds
 * them itself.
 */
export async function reverseProviderRefund(tx: Tx, order: LockedOrder, refundId: string): Promise<void> {
  const [refund] = await tx
    .select({ effects: refunds.effects, intentId: refunds.intentId })
    .from(refunds)
    .where(eq(refunds.id, refundId));
  if (!refund?.effects) return;
  await tx.update(refunds).set({ effects: null }).where(eq(refunds.id, refundId));
  for (const { id, cents } of refund.effects.covered) await sendAgain(tx, id, cents);
  const { lines } = refund.effects;
  const reopened = lines.filter(({ closed }) => closed?.state === "assigned");
  for (const line of lines) {
    if (line.closed && line.closed.state !== "assigned") {
      if (line.cents === 0) continue;
      const again = { lineId: line.id, amountCents: line.cents, reason: "not_delivered", mayRepeat: true };
      await openRefund(tx, order, again);
    } else await reopenLine(tx, line);
  }
  if (reopened.length > 0 && order.status === "refunded")
    await transition(tx, order, "reopened", { reason: PROVIDER_REFUND });
  await recordSales(tx, order.id);
  if (reopened.length === 0) return;
  await requeueDroppedMails(tx, "keys", order.id);
  await completeDelivered(tx, order);
}

/** A line gets its money back and, if the refund closed it, its codes and the buyer's open request. */
async function reopenLine(tx: Tx, { id, cents, closed }: RefundEffects["lines"][number]): Promise<void> {
  await tx.execute(sql`
    update order_lines set refunded_cents = refunded_cents - ${cents}
      ${closed ? sql`, state = 'assigned', refunded_quantity = ${closed.refundedQuantity}` : sql``}
    where id = ${id}`);
  if (!closed) return;
  await unlockKeys(tx, closed.keyIds, "shop");
  await tx.execute(sql`
    update refund_requests set state = 'asked', decided_at = null, decided_by = null,
      answer_by = greatest(answer_by, shop_now() + make_interval(hours => ${VENDOR_CONFIRMATION_HOURS}))
    where order_line_id = ${id} and state = 'approved' and decided_by = ${DECIDED_BY}`);
}

/**
 * Requests the money again that a refund of the provider had covered: as before, or as a further part if the rest was
 * sent.
 */
async function sendAgain(tx: Tx, refundId: string, cents: number): Promise<void> {
  const [refund] = await tx
    .select({ state: refunds.state, providerId: refunds.providerId })
    .from(refunds)
    .where(eq(refunds.id, refundId));
  const isUnsent = refund?.state === "cancelled" && refund.providerId === null;
  if (!isUnsent) return addPart(tx, refundId, cents);
  await tx.update(refunds).set({ state: "pending", updatedAt: shopNow }).where(eq(refunds.id, refundId));
  await enqueue(tx, SendRefund, { refundId }, { jobKey: refundId });
}
