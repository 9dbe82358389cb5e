import { sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { newId } from "@/lib/id";
import { enqueue } from "@/lib/jobs";
import { splitByLargestRemainder } from "@/lib/money";
import { queueMail } from "@/lib/notifications/commands";
import { postLedger } from "@/lib/payments/commands";
import type { RefundState } from "@/lib/payments/rules";
import { paymentProvider } from "@/lib/stripe";
import { type LockedOrder, lockOrder, transition } from "./commands-transition";
import { SendRefund } from "./contract-jobs";

type OpenRefundInput = { lineId: string | null; amountCents: number; reason: string };

/** Writes a refund down and queues it, in the transaction that owes it; the money moves outside of it. */
export async function openRefund(
  tx: Tx,
  order: LockedOrder,
  { lineId, amountCents, reason }: OpenRefundInput,
): Promise<void> {
  const [refund] = await tx.execute<{ id: string }>(sql`
    insert into refunds (id, order_id, order_line_id, amount_cents, reason)
    values (${newId("rfd")}, ${order.id}, ${lineId}, ${amountCents}, ${reason})
    on conflict do nothing returning id`);
  if (!refund) return;
  await enqueue(tx, SendRefund, { refundId: refund.id }, { jobKey: refund.id });
}

type RefundRow = {
  id: string;
  order_id: string;
  amount_cents: number;
  state: RefundState;
  intent_id: string | null;
  provider_id: string | null;
};

/** Sends a refund to the provider under its own id as key, and books it on the provider's word. Safe to run again. */
export async function sendRefund(refundId: string): Promise<void> {
  const [refund] = await db.execute<RefundRow>(sql`
    select r.id, r.order_id, r.amount_cents, r.state, r.provider_id, o.transaction_id as intent_id
    from refunds r join orders o on o.id = r.order_id where r.id = ${refundId}`);
  if (!refund?.intent_id || refund.state === "succeeded" || refund.state === "failed") return;
  const answer = refund.provider_id
    ? await paymentProvider().retrieveRefund(refund.provider_id)
    : await paymentProvider().refund({
        intentId: refund.intent_id,
        refundId,
        amountCents: refund.amount_cents,
        idempotencyKey: refundId,
      });
  await db.transaction(async (tx) => {
    const order = await lockOrder(tx, refund.order_id);
    const moved = await tx.execute(sql`
      update refunds set state = ${answer.state}, provider_id = ${answer.id}, updated_at = shop_now()
      where id = ${refundId} and state not in ('succeeded', 'failed') returning id`);
    if (!order || moved.length === 0 || answer.state !== "succeeded") return;
    await postLedger(tx, {
      transferId: refundId,
      orderId: order.id,
      debit: "refunds",
      credit: "provider_cash",
      amountCents: refund.amount_cents,
    });
    await queueMail(tx, {
      event: "refund",
      to: order.sendEmail,
      locale: order.locale,
      refs: { refundId },
      dedupeKey: `refund:${refundId}`,
    });
  });
}

type LateLine = { id: string; quantity: number; total_cents: number; has: number };

/** Gives back what waiting lines of an order could not deliver in time; what was delivered stays delivered. */
export async function refundLateLines(orderId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order?.status !== "processing") return;
    const late = await tx.execute<LateLine>(sql`
      select l.id, l.quantity, l.total_cents, (select count(*)::int from keys k where k.order_line_id = l.id and k.state = 'assigned') as has
      from order_lines l where l.order_id = ${orderId} and l.state = 'waiting' and l.deliver_by <= shop_now()`);
    for (const line of late) {
      const amountCents = splitByLargestRemainder(line.total_cents, [line.quantity - line.has, line.has])[0]!;
      await tx.execute(
        sql`update order_lines set state = ${line.has > 0 ? "assigned" : "refunded"} where id = ${line.id}`,
      );
      if (amountCents > 0)
        await openRefund(tx, order, { lineId: line.id, amountCents, reason: "not_delivered" });
    }
    if (late.length > 0) await closeAfterRefund(tx, order);
  });
}

async function closeAfterRefund(tx: Tx, order: LockedOrder): Promise<void> {
  const states = await tx.execute<{ state: string }>(
    sql`select distinct state from order_lines where order_id = ${order.id}`,
  );
  const has = (state: string) => states.some((row) => row.state === state);
  if (has("waiting") || has("reserved")) return;
  await transition(tx, order, has("assigned") ? "assigned" : "refunded", "not_delivered");
}
