import { sql } from "drizzle-orm";
import { client, db, transaction } from "@/db/client";
import { lockOrder } from "@/lib/orders/status/lock-order";
import { clearProgress, readProgress, writeProgress } from "@/lib/platform/jobs/progress";
import { UNBOOKED_SALE } from "./post-merchant-shares";
import { recordSales } from "./record-sales";

const BATCH = 500;
/**
 * Days of payments that the nightly check covers: codes of a waiting order arrive within them, other sales are written
 * immediately.
 */
const RECENT_DAYS = 40;

/** SQL: an order's line `l` was sold and has no sale. */
const LACKS_SALE = sql`l.state in ('assigned', 'waiting', 'refunded')
  and not exists (select from merchant_sales s where s.line_id = l.id)
  and (exists (select from keys k where k.order_line_id = l.id and k.assigned_at is not null)
    or exists (select from returned_keys r where r.order_line_id = l.id))`;

/** SQL: the ledger lacks the share of the sale of an order's line `l`. */
const LACKS_SHARE = sql`exists (select from merchant_sales s where s.line_id = l.id and ${UNBOOKED_SALE})`;

/** SQL: the sale of an order's line `l` lost a gesture of the shop, as before gestures were the shop's loss. */
const PAID_GESTURE = sql`l.goodwill_cents > 0 and exists (
  select from merchant_sales s where s.line_id = l.id and s.funded_by = 'shop' and s.refunded_cents <> l.refunded_cents - l.goodwill_cents)`;

/**
 * Writes the missing sales of the last RECENT_DAYS, and the merchant of requests and reviews. Returns how many orders
 * it checked. Safe to repeat and to stop.
 */
export async function recordMissingSales(): Promise<number> {
  await client()`select set_missing_merchants()`;
  let after: { paidAt: string; id: string } | null = null;
  let orders = 0;
  while (true) {
    const found: { id: string; paidAt: string }[] = await db.execute<{ id: string; paidAt: string }>(sql`
      select o.id, o.paid_at::text as "paidAt" from orders o
      where o.paid_at > shop_now() - make_interval(days => ${RECENT_DAYS})
        and (o.paid_at, o.id) > (${after?.paidAt ?? "-infinity"}::timestamptz, ${after?.id ?? ""})
        and exists (select from order_lines l where l.order_id = o.id and (${LACKS_SALE} or ${PAID_GESTURE} or ${LACKS_SHARE}))
      order by o.paid_at, o.id limit ${BATCH}`);
    await recordSalesOf(found.map(({ id }) => id));
    orders += found.length;
    if (found.length < BATCH) return orders;
    after = found.at(-1)!;
  }
}

/**
 * Writes the sales of all orders and books their shares, line by line from where the last run stopped: for a table that is new, or
 * a ledger that had no shares. Returns how many orders it looked at. Safe to repeat and to stop.
 */
export async function recordAllSales(): Promise<number> {
  await client()`select set_missing_merchants()`;
  let after = (await readProgress("record-missing-sales")) ?? "";
  await writeProgress("record-missing-sales", after);
  let orders = 0;
  while (true) {
    const lines = await db.execute<{ id: string; orderId: string }>(sql`
      select l.id, l.order_id as "orderId" from order_lines l
      where l.id > ${after} and (${LACKS_SALE} or ${LACKS_SHARE}) order by l.id limit ${BATCH}`);
    const orderIds = [...new Set(lines.map((line) => line.orderId))];
    await recordSalesOf(orderIds);
    orders += orderIds.length;
    if (lines.length < BATCH) break;
    after = lines.at(-1)!.id;
    await writeProgress("record-missing-sales", after);
  }
  await clearProgress("record-missing-sales");
  return orders;
}

async function recordSalesOf(orderIds: readonly string[]): Promise<void> {
  for (const orderId of orderIds)
    await transaction(async (tx) => {
      if (await lockOrder(tx, orderId)) await recordSales(tx, orderId);
    });
}

/** Whether there is no sale yet, although codes were sold, or a share is not booked, or `recordAllSales` was stopped. */
export async function lacksAllSales(): Promise<boolean> {
  const [row] = await db.execute<{ lacking: boolean }>(sql`
    select (not exists (select from merchant_sales) and exists (select from orders where paid_at is not null))
      or exists (select from merchant_sales s where ${UNBOOKED_SALE})
      or exists (select from job_progress where name = 'record-missing-sales') as lacking`);
  return row!.lacking;
}
