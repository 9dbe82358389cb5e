import { and, eq, sql } from "drizzle-orm";
import { shopNow, type Tx } from "@/db/client";
import { refundRequests } from "@/db/schema/payments";
import { releaseReservedKeys } from "@/lib/delivery/release-reserved-keys";
import { completeDelivered } from "@/lib/orders/fulfilment/complete-delivered";
import { enqueueAssignWaiting } from "@/lib/orders/fulfilment/enqueue-assign";
import { closeAfterRefund } from "@/lib/orders/refunds/book-refund";
import { findRefundableLine } from "@/lib/orders/refunds/find-refundable-line";
import { openRefund } from "@/lib/orders/refunds/open-refund";
import { takeBackKeys } from "@/lib/orders/returns/take-back-keys";
import { recordSales } from "@/lib/orders/sales/record-sales";
import type { LockedOrder } from "@/lib/orders/status/lock-order";
import { DEFAULT_LOCALE } from "@/lib/platform/i18n/locales";
import { readWithdrawableLines, type WithdrawableLine } from "./read-withdrawable-lines";

/** Takes back the returned codes, releases reserved keys and queues the refund; returns the amount in cents. */
export async function refundUnits(
  tx: Tx,
  order: LockedOrder,
  line: WithdrawableLine,
  by: { actor: string; ip?: string },
) {
  const { units } = line.decision;
  const isWholeLine = units === line.leftUnits;
  const refundable = await findRefundableLine(tx, order.id, line.id);
  const amountCents = Math.min(line.decision.amountCents, refundable?.capturedCents ?? 0);
  await releaseReservedKeys(tx, [line.id]);
  const returned = isWholeLine ? { lineId: line.id } : { keyIds: unrevealedKeyIds(line) };
  await takeBackKeys(tx, order.id, returned, by);
  await tx.execute(sql`
    update order_lines set state = ${isWholeLine ? "refunded" : "assigned"}, refunded_quantity = refunded_quantity + ${units},
      refunded_cents = refunded_cents + ${amountCents}, deliver_by = null where id = ${line.id}`);
  if (isWholeLine && line.request === "asked")
    await tx
      .update(refundRequests)
      .set({ state: "approved", decidedAt: shopNow, decidedBy: "withdrawal" })
      .where(and(eq(refundRequests.orderLineId, line.id), eq(refundRequests.state, "asked")));
  if (amountCents > 0)
    await openRefund(tx, order, { lineId: line.id, amountCents, reason: "withdrawn", mayRepeat: true });
  return amountCents;
}

/** The unrevealed codes of a partly withdrawn line; none where or when only undelivered units can be withdrawn. */
const unrevealedKeyIds = (line: WithdrawableLine): string[] =>
  ["over", "elsewhere", "review"].includes(line.decision.reason)
    ? []
    : line.keys.filter((key) => !key.shown).map((key) => key.id);

/** What follows the return of units of an order. */
export async function closeWithdrawn(
  tx: Tx,
  order: LockedOrder,
  lines: readonly WithdrawableLine[],
): Promise<void> {
  if (lines.length > 0) {
    await recordSales(tx, order.id);
    await closeAfterRefund(tx, order, "withdrawn");
    await completeDelivered(tx, order);
  }
  await enqueueAssignWaiting(
    tx,
    lines.map((line) => line.planId),
  );
}

/** Withdraws the units of a line for a buyer whose statement of `statedAt` staff agree with. */
export async function withdrawAgreedLine(
  tx: Tx,
  order: LockedOrder,
  { lineId, statedAt, actor }: { lineId: string; statedAt: Date; actor: string },
): Promise<void> {
  const lines = await readWithdrawableLines(tx, order.id, DEFAULT_LOCALE, { agreedAt: statedAt });
  const withdrawn = lines.filter((line) => line.id === lineId && line.decision.units > 0);
  for (const line of withdrawn) await refundUnits(tx, order, line, { actor });
  await closeWithdrawn(tx, order, withdrawn);
}
