import { inArray, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { orderLines } from "@/db/schema/orders";
import { assignReservedKeys } from "@/lib/delivery/assign-reserved-keys";
import {
  disputedSql,
  frozenLineSql,
  mailsCodesSql,
  refundRequestedSql,
} from "@/lib/delivery/library/key-state-sql";
import { reserveKeys } from "@/lib/delivery/reserve-keys";
import { STOCK_DEADLINE_HOURS } from "@/lib/delivery/rules";
import { queueOrderMail } from "@/lib/orders/emails/queue-order-mail";
import type { OrderStatus } from "@/lib/orders/rules";
import { recordSales } from "@/lib/orders/sales/record-sales";
import type { LockedOrder } from "@/lib/orders/status/lock-order";
import { transition } from "@/lib/orders/status/transition";
import { enqueueGift } from "./enqueue-assign";

type UnfinishedLine = {
  lineId: string;
  planId: number;
  /** units that are neither reserved nor assigned */
  missing: number;
  refundRequested: boolean;
  disputed: boolean;
  mailsCodes: boolean;
};

/**
 * Assigns keys to a paid order: its reserved keys, and stock for the waiting units. A complete order becomes shipped. An
 * incomplete one becomes processing, with a deadline and an email (docs/reliability.md#orders). A disputed order waits for
 * the end of its dispute. Safe to repeat.
 */
export async function assignOrder(tx: Tx, order: LockedOrder): Promise<OrderStatus> {
  if (order.status !== "paid" && order.status !== "processing") return order.status;
  const unfinished = await readUnfinishedLines(tx, order.id);
  if (unfinished.some((line) => line.disputed)) return order.status;
  const hasReserved = await reserveMissingUnits(tx, order.id, unfinished);
  const lines = hasReserved ? await readUnfinishedLines(tx, order.id) : unfinished;
  const lineIds = lines.map((line) => line.lineId);
  const keys = await assignReservedKeys(tx, lineIds);
  const waiting = lines.filter((line) => line.missing > 0);
  const completeIds = lines.filter((line) => line.missing <= 0).map((line) => line.lineId);
  await queueKeysEmail(tx, order, lines, keys);
  if (completeIds.length > 0)
    await tx
      .update(orderLines)
      .set({ state: "assigned", deliverBy: null })
      .where(inArray(orderLines.id, completeIds));
  if (keys.length > 0) await recordSales(tx, order.id);
  if (waiting.length === 0) {
    await transition(tx, order, "assigned");
    // The codes of a gift are never mailed, so most orders need no look.
    if (!lines.some((line) => line.mailsCodes)) await enqueueGift(tx, order.id);
  }
  if (waiting.length > 0 && order.status === "paid") await markLinesWaiting(tx, order, waiting);
  return order.status;
}

function readUnfinishedLines(tx: Tx, orderId: string): Promise<UnfinishedLine[]> {
  return tx.execute<UnfinishedLine>(sql`
    select l.id as "lineId", l.plan_id as "planId",
      l.quantity - count(k.id) filter (where k.state in ('reserved', 'assigned'))::int as missing,
      ${refundRequestedSql("l")} as "refundRequested", ${disputedSql("l")} as disputed, ${mailsCodesSql("l")} as "mailsCodes"
    from order_lines l left join keys k on k.order_line_id = l.id
    where l.order_id = ${orderId} and l.state in ('reserved', 'waiting')
    group by l.id order by l.plan_id, l.id`);
}

/**
 * Reserves stock for missing units, except for lines with an open refund request. Returns false when none is missing.
 */
async function reserveMissingUnits(tx: Tx, orderId: string, lines: UnfinishedLine[]): Promise<boolean> {
  const missing = lines
    .filter((line) => line.missing > 0 && !line.refundRequested)
    .map(({ lineId, planId, missing: quantity }) => ({ lineId, planId, quantity }));
  if (missing.length === 0) return false;
  const owedPlanIds = await findPlansOwedToEarlierOrders(tx, orderId);
  const available = missing.filter((line) => !owedPlanIds.includes(line.planId));
  await reserveKeys(tx, available, "skip");
  return true;
}

/** Plans for which an earlier paid order waits that is not locked: their stock goes to that order first. */
async function findPlansOwedToEarlierOrders(tx: Tx, orderId: string): Promise<number[]> {
  const rows = await tx.execute<{ plan_id: number }>(sql`
    select distinct l.plan_id from orders this, order_lines l join orders o on o.id = l.order_id
    where this.id = ${orderId} and l.state = 'waiting' and o.status = 'processing'
      and not ${frozenLineSql("l")} and l.plan_id in (select plan_id from order_lines where order_id = ${orderId})
      and (o.paid_at, o.id) < (this.paid_at, this.id)`);
  return rows.map((row) => row.plan_id);
}

/** Queues the email with the codes; its `kept` reference names the keys that stay in the library. */
async function queueKeysEmail(
  tx: Tx,
  order: LockedOrder,
  lines: UnfinishedLine[],
  keys: { id: string; lineId: string }[],
): Promise<void> {
  if (keys.length === 0) return;
  const sorted = [...keys].sort((a, b) => (a.id < b.id ? -1 : 1));
  const keptLineIds = lines.filter((line) => !line.mailsCodes).map((line) => line.lineId);
  const isKept = ({ lineId }: { lineId: string }) => keptLineIds.includes(lineId);
  const keptKeyIds = sorted.filter(isKept).map(({ id }) => id);
  const mailedKeyIds = sorted.filter((key) => !isKept(key)).map(({ id }) => id);
  const kept = keptKeyIds.length > 0 && { kept: keptKeyIds.join(",") };
  const refs = { orderId: order.id, keyIds: mailedKeyIds.join(","), ...kept };
  await queueOrderMail(tx, order, "keys", refs, `keys:${order.id}:${sorted[0]?.id}`);
}

/** Sets the delivery deadline; the full waiting time counts from now when the release date has passed. */
async function markLinesWaiting(tx: Tx, order: LockedOrder, waiting: UnfinishedLine[]): Promise<void> {
  const deadline = sql`shop_now() + make_interval(hours => ${STOCK_DEADLINE_HOURS})`;
  const ids = waiting.map((line) => line.lineId);
  await tx
    .update(orderLines)
    .set({ state: "waiting", deliverBy: sql`greatest(${orderLines.deliverBy}, ${deadline})` })
    .where(inArray(orderLines.id, ids));
  await transition(tx, order, "stock_short");
  await queueOrderMail(tx, order, "delay", { orderId: order.id }, `delay:${order.id}`);
}
