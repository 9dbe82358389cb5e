import { sql } from "drizzle-orm";
import { type Db, type Tx, transaction } from "@/db/client";
import { resumeDelivery } from "@/lib/orders/disputes/resume-delivery";
import { codeVisibleSql, SERVED_UNIT_SQL } from "@/lib/orders/refunds/lock-line-codes";
import { capturedCentsSql } from "@/lib/orders/refunds/refund-versions";
import { isPaid } from "@/lib/orders/rules";
import { recordSales } from "@/lib/orders/sales/record-sales";
import { type LockedOrder, lockOrder } from "@/lib/orders/status/lock-order";
import type { WarningState } from "@/lib/payments/rules";
import { markWebhookProcessed } from "@/lib/payments/store-webhook-event";
import { audit } from "@/lib/platform/audit";
import { log } from "@/lib/platform/log";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import { findPaidOrder } from "./find-paid-order";
import { refundWarnedOrder } from "./refund-warned-order";

type Warning = { id: string; intentId: string; fraudType: string };

/**
 * Decides about an early fraud warning (docs/product.md#810-disputes): what costs less than a dispute is refunded while no code was
 * seen, the rest waits for staff. Safe to repeat, and early or late: a warning is decided once, and one about money that went back, or
 * that a dispute decides, is closed.
 */
export async function updateFraudWarning(warningId: string, eventId?: string): Promise<void> {
  const warning = await retrieveWarning(warningId);
  const { intentId } = warning ?? {};
  const orderId = intentId ? await findPaidOrder(intentId) : null;
  await transaction(async (tx) => {
    if (warning && intentId && orderId) await decideWarning(tx, orderId, { ...warning, intentId });
    else {
      log.warn({ warningId, intentId }, "fraud warning about a payment that is not ours");
      await closeUnknown(tx, warningId);
    }
    await markWebhookProcessed(tx, eventId);
  });
}

/** Closes a warning that the provider does not know, or about another payment. */
async function closeUnknown(tx: Tx, warningId: string): Promise<void> {
  const [warned] = await tx.execute<{ orderId: string }>(
    sql`select order_id as "orderId" from fraud_warnings where id = ${warningId}`,
  );
  if (!warned || !(await lockOrder(tx, warned.orderId))) return;
  const closed = await tx.execute(sql`
    update fraud_warnings set state = 'closed', decided_at = shop_now(), decided_by = 'rule'
    where id = ${warningId} and state = 'received' returning 1`);
  if (closed.length > 0) await resume(tx, warned.orderId);
}

async function resume(tx: Tx, orderId: string): Promise<void> {
  await resumeDelivery(tx, orderId);
  await recordSales(tx, orderId);
}

async function retrieveWarning(id: string) {
  try {
    return await paymentProvider().retrieveFraudWarning(id);
  } catch (error) {
    if (isProviderError(error, "unknown_object")) return null;
    throw error;
  }
}

type Facts = { paysOrder: boolean; disputed: boolean; leftCents: number; costCents: number; seen: number };

async function decideWarning(tx: Tx, orderId: string, { id, intentId, fraudType }: Warning): Promise<void> {
  const order = await lockOrder(tx, orderId);
  if (!order) throw new Error(`fraud warning ${id} has no order`);
  const [stored] = await tx.execute<{ state: WarningState }>(sql`
    insert into fraud_warnings (id, order_id, intent_id, fraud_type) values (${id}, ${orderId}, ${intentId}, ${fraudType})
    on conflict (id) do update set fraud_type = ${fraudType} returning state`);
  if (stored!.state !== "received") return;
  const facts = await readFacts(tx, order, intentId);
  const state = decisionOf(order, facts);
  const isDecided = state !== "open";
  await tx.execute(sql`
    update fraud_warnings set state = ${state}, decided_at = case when ${isDecided} then shop_now() end,
      decided_by = case when ${isDecided} then 'rule' end where id = ${id}`);
  if (state === "closed") await resume(tx, orderId);
  const amount = state === "refunded" ? await refundWarnedOrder(tx, order, "shop") : facts.leftCents;
  const detail = { warning_id: id, reason: fraudType, state, cents: amount, seen: facts.seen };
  await audit({ actor: "system", action: "fraud_warning", subject: orderId, detail }, tx);
  if (state === "open") log.warn({ orderId, ...detail }, "fraud warning waits for staff");
}

/** What the decision depends on. Locks the order's codes, so that none is shown meanwhile. */
async function readFacts(tx: Tx, order: LockedOrder, intentId: string): Promise<Facts> {
  await tx.execute(sql`
    select 1 from keys k where k.order_line_id in (select id from order_lines where order_id = ${order.id}) order by k.id for update`);
  const [facts] = await tx.execute<Facts>(sql`
    select coalesce(o.transaction_id = ${intentId}, false) as "paysOrder",
      exists (select from disputes d where d.order_id = o.id and (d.is_open or d.status = 'lost')) as disputed,
      ${capturedCentsSql("o.id")} as "leftCents", (select dispute_cost_cents from fraud_settings) as "costCents",
      (select count(*)::int from keys k join order_lines l on l.id = k.order_line_id
        where l.order_id = o.id and ${SERVED_UNIT_SQL} and ${codeVisibleSql(order.id)}) as seen
    from orders o where o.id = ${order.id}`);
  return facts!;
}

function decisionOf(
  order: LockedOrder,
  { paysOrder, disputed, leftCents, costCents, seen }: Facts,
): WarningState {
  if (disputed || !paysOrder || !isPaid(order.status) || leftCents === 0) return "closed";
  return seen === 0 && leftCents < costCents ? "refunded" : "open";
}

/** What a dispute costs besides the payment, in cents. */
export async function getDisputeCost(tx: Db): Promise<number> {
  const [row] = await tx.execute<{ cents: number }>(
    sql`select dispute_cost_cents as cents from fraud_settings`,
  );
  return row!.cents;
}
