import { eq, sql } from "drizzle-orm";
import type { Db, Tx } from "@/db/client";
import { merchantSales } from "@/db/schema/merchants";
import { orderLines } from "@/db/schema/orders";
import { refundTranslator } from "@/emails/translator";
import { isPaid } from "@/lib/orders/rules";
import { recordSales } from "@/lib/orders/sales/record-sales";
import type { LockedOrder } from "@/lib/orders/status/lock-order";
import { GOODWILL } from "@/lib/payments/rules";
import { audit } from "@/lib/platform/audit";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { formatPrice } from "@/lib/platform/money";
import { findRefundableLine, type RefundableLine } from "./find-refundable-line";
import { openRefund } from "./open-refund";

export type Goodwill = {
  lineId: string;
  amountCents: number;
  /** What was refunded of the line when staff looked at it. Another sum means that the page is out of date. */
  refundedCents: number;
  /** For staff; the buyer reads only that it is a gesture. */
  reason: string;
};

/**
 * Whether so much of a line of a locked order can be returned: at most what is left of its price and of the order's money,
 * and nothing during or after a dispute of the payment.
 * @throws ShopError order_unknown (also an unknown line), refund_not_allowed, payment_disputed, line_changed, amount_above_left
 */
export async function checkGoodwill(
  tx: Tx,
  order: LockedOrder | null,
  { lineId, amountCents, refundedCents }: Goodwill,
  locale: Locale,
): Promise<{ order: LockedOrder; line: RefundableLine }> {
  const line = order && (await findRefundableLine(tx, order.id, lineId));
  if (!order || !line) throw new ShopError("order_unknown");
  const t = refundTranslator(locale);
  if (!isPaid(order.status) || !line.paidAt)
    throw new ShopError("refund_not_allowed", { params: { reason: t("unpaid") } });
  if (line.dispute) throw new ShopError("payment_disputed");
  const leftCents = line.state === "refunded" ? 0 : Math.min(line.leftCents, line.capturedCents);
  if (leftCents === 0) throw new ShopError("refund_not_allowed", { params: { reason: t("gone") } });
  if (line.refundedCents !== refundedCents) throw new ShopError("line_changed");
  if (amountCents > leftCents)
    throw new ShopError("amount_above_left", { params: { left: formatPrice(leftCents, locale) } });
  return { order, line };
}

/**
 * Returns a part of a line's price as a gesture: its codes stay valid, and its state stays. It is the shop's loss, so the
 * merchant's sale stays too, unless it was a purchase by the merchant's own people, whose sale bears it. A later refund by the rule returns the rest.
 * @throws ShopError as `checkGoodwill`
 */
export async function giveGoodwill(
  tx: Tx,
  locked: LockedOrder | null,
  goodwill: Goodwill,
  { actor, askedBy, locale }: { actor: string; askedBy?: string; locale: Locale },
): Promise<void> {
  const { order, line } = await checkGoodwill(tx, locked, goodwill, locale);
  const { amountCents, reason } = goodwill;
  const refundedCents = line.refundedCents + amountCents;
  await tx
    .update(orderLines)
    .set({ refundedCents, goodwillCents: sql`${orderLines.goodwillCents} + ${amountCents}` })
    .where(eq(orderLines.id, line.id));
  await openRefund(tx, order, { lineId: line.id, amountCents, reason: GOODWILL, mayRepeat: true });
  await recordSales(tx, order.id);
  const [sold] = await tx
    .select({ fundedBy: merchantSales.fundedBy })
    .from(merchantSales)
    .where(eq(merchantSales.lineId, line.id));
  const detail = {
    line: line.id,
    amountCents,
    fundedBy: sold?.fundedBy ?? "shop",
    reason,
    before: { refundedCents: line.refundedCents },
    after: { refundedCents },
    ...(askedBy && { askedBy }),
  };
  await audit({ actor, action: "refund.goodwill", subject: order.id, detail }, tx);
}

/** What staff have returned of an order beyond the rule so far, in cents. To decide by it, the order must be locked. */
export async function sumGoodwill(tx: Db, orderId: string): Promise<number> {
  const [sum] = await tx.execute<{ cents: number }>(sql`
    select coalesce(sum(amount_cents), 0)::int as cents from refunds
    where order_id = ${orderId} and reason = ${GOODWILL} and state not in ('failed', 'cancelled')`);
  return sum!.cents;
}

export async function findOrderNumber(tx: Tx, orderId: string): Promise<string> {
  const [order] = await tx.execute<{ number: string }>(sql`
    select order_number as number from orders where id = ${orderId}`);
  return order!.number;
}
