import { eq, sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { orderLines } from "@/db/schema/orders";
import { findDisputeState } from "@/lib/orders/disputes/find-dispute-state";
import { recordSales } from "@/lib/orders/sales/record-sales";
import { lockOrder } from "@/lib/orders/status/lock-order";
import { splitByLargestRemainder } from "@/lib/platform/money";
import { closeAfterRefund } from "./book-refund";
import { openRefund } from "./open-refund";
import { capturedCentsSql } from "./refund-versions";

type OverdueLine = {
  id: string;
  quantity: number;
  left_cents: number;
  captured_cents: number;
  assigned_units: number;
};

/**
 * Refunds waiting lines that missed their deadline, unless the payment is disputed; delivered lines stay delivered. What a gesture or the
 * provider has returned of a line before is not returned again.
 */
export async function refundOverdueLines(orderId: string): Promise<void> {
  await transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order?.status !== "processing" || (await findDisputeState(tx, order.id))) return;
    const overdue = await tx.execute<OverdueLine>(sql`
      select l.id, l.quantity, l.total_cents - l.refunded_cents as left_cents, ${capturedCentsSql("l.order_id")} as captured_cents, (select count(*)::int from keys k where k.order_line_id = l.id and k.state = 'assigned') as assigned_units
      from order_lines l where l.order_id = ${orderId} and l.state = 'waiting' and l.deliver_by <= shop_now() order by l.position`);
    let capturedCents = overdue[0]?.captured_cents ?? 0;
    for (const line of overdue) {
      const missingUnits = line.quantity - line.assigned_units;
      const shareCents = splitByLargestRemainder(line.left_cents, [missingUnits, line.assigned_units])[0]!;
      const amountCents = Math.min(shareCents, capturedCents);
      capturedCents -= amountCents;
      const state = line.assigned_units > 0 ? "assigned" : "refunded";
      await tx
        .update(orderLines)
        .set({ state, refundedQuantity: missingUnits, refundedCents: sql`refunded_cents + ${amountCents}` })
        .where(eq(orderLines.id, line.id));
      if (amountCents > 0)
        await openRefund(tx, order, { lineId: line.id, amountCents, reason: "not_delivered" });
    }
    if (overdue.length === 0) return;
    await recordSales(tx, order.id);
    await closeAfterRefund(tx, order, "not_delivered");
  });
}
