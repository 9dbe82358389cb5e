import { sql } from "drizzle-orm";
import Stripe from "stripe";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { env } from "@/lib/env";
import { newId } from "@/lib/id";
import { receiveWebhook, settlePayment } from "@/lib/orders/commands-payment";
import { openRefund, sendRefund } from "@/lib/orders/commands-refund";
import { cancelOrder } from "@/lib/orders/commands-release";
import { lockOrder } from "@/lib/orders/commands-transition";
import { paymentProvider } from "@/lib/stripe";
import { auditSale } from "../faults/audit";
import * as sale from "../setup/sale";

vi.setConfig({ testTimeout: 120_000 });
let buyer: sale.Buyer;
beforeAll(async () => {
  sale.receiveEventsHere();
  buyer = await sale.newBuyer();
});
afterEach(async () => {
  vi.restoreAllMocks();
  expect(await auditSale()).toEqual([]);
});
afterAll(sale.endSale);

/** An order that was paid too late: its refund is open, and nothing has gone to the provider yet. */
async function paidTooLate() {
  const planId = (await createProduct({ plans: [{ keys: 1 }] })).plans[0]!.id;
  const orderId = await sale.orderOf(buyer, planId);
  const { intentId } = await sale.openPayment(buyer, orderId);
  await cancelOrder(buyer.viewer, { order_id: orderId });
  await sale.sell(await sale.newBuyer(), planId);
  await db.execute(
    sql`update sandbox_intents set status = 'succeeded', received_cents = amount_cents where id = ${intentId}`,
  );
  await settlePayment(intentId);
  const [refund] = await db.execute<{ id: string }>(sql`select id from refunds where order_id = ${orderId}`);
  return { orderId, intentId, refundId: refund!.id };
}
const refundOf = async (refundId: string) => {
  const [row] = await db.execute<{ state: string; provider_id: string }>(
    sql`select state, provider_id from refunds where id = ${refundId}`,
  );
  return row!;
};
const auditOf = async (orderId: string) => {
  const rows = await db.execute<{ action: string }>(
    sql`select action from audit_entries where subject = ${orderId}`,
  );
  return rows.map((row) => row.action);
};
const cashOf = async (orderId: string) => {
  const [row] = await db.execute(
    sql`select sum(amount_cents)::int as cents from ledger_entries where order_id = ${orderId} and account = 'provider_cash'`,
  );
  return row;
};
/** A signed notice about a refund, as the provider sends it long after. */
const notice = async (type: string, providerId: string, intentId: string) => {
  const payload = JSON.stringify({
    id: newId("evt"),
    object: "event",
    type,
    api_version: Stripe.API_VERSION,
    created: Math.floor(Date.now() / 1000),
    livemode: false,
    data: { object: { id: providerId, object: "refund", payment_intent: intentId } },
  });
  const secret = env().STRIPE_WEBHOOK_SECRET;
  await receiveWebhook(Buffer.from(payload), Stripe.webhooks.generateTestHeaderString({ payload, secret }));
};
const bankRefuses = (refundId: string, providerId = "re_refused") => {
  const view = {
    id: providerId,
    state: "failed" as const,
    amountCents: 1000,
    currency: "usd",
    intentId: null,
    refundId,
    failureReason: "expired_or_canceled_card",
  };
  vi.spyOn(paymentProvider(), "refund").mockResolvedValue(view);
  vi.spyOn(paymentProvider(), "retrieveRefund").mockResolvedValue(view);
};

describe("a refund that fails", () => {
  it("is written down for somebody to act on", async () => {
    const { orderId, refundId } = await paidTooLate();
    bankRefuses(refundId);
    await sendRefund(refundId);
    await sendRefund(refundId);
    expect((await refundOf(refundId)).state).toBe("failed");
    expect(await auditOf(orderId)).toEqual(["refund_failed"]);
    expect(await cashOf(orderId)).toEqual({ cents: 1000 });
  });

  it("after it was called done is noticed by the provider's notice, and the books say so", async () => {
    const { orderId, intentId, refundId } = await paidTooLate();
    await sale.runQueue();
    const { state, provider_id } = await refundOf(refundId);
    expect(state).toBe("succeeded");
    expect(await cashOf(orderId)).toEqual({ cents: 0 });
    bankRefuses(refundId, provider_id);
    await notice("refund.failed", provider_id, intentId);
    await sale.runQueue();
    await notice("refund.updated", provider_id, intentId);
    await sale.runQueue();
    expect((await refundOf(refundId)).state).toBe("failed");
    expect(await auditOf(orderId)).toEqual(["refund_failed"]);
    expect(await cashOf(orderId)).toEqual({ cents: 1000 });
    const open = await db.execute(sql`select id from webhook_events where processed_at is null`);
    expect([...open]).toEqual([]);
  });
});

it("a refund that is there already is refused aloud", async () => {
  const { orderId } = await paidTooLate();
  const again = db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    await openRefund(tx, order!, { lineId: null, amountCents: 1000, reason: "paid_too_late" });
  });
  await expect(again).rejects.toThrow("is there already");
  await sale.runQueue();
});
