import { sql } from "drizzle-orm";
import Stripe from "stripe";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { db, transaction } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { cancelOrder } from "@/lib/orders/cancellation/commands";
import { sweepJob } from "@/lib/orders/jobs";
import { receiveWebhook, settlePayment } from "@/lib/orders/payment/commands";
import { getOrder } from "@/lib/orders/queries";
import { openRefund, sendRefund } from "@/lib/orders/refunds/commands";
import { listFailedRefunds } from "@/lib/orders/refunds/queries";
import { lockOrder } from "@/lib/orders/status/commands";
import { newId } from "@/lib/platform/crypto/ids";
import { env } from "@/lib/platform/env";
import { ProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import { failSandboxRefund } from "@/lib/platform/stripe/sandbox/refunds";
import { auditSale } from "../faults/audit";
import * as sale from "../setup/sale";
import { failSandbox, returnSandboxRefunds } from "../setup/stripe-faults";

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
const attemptsOf = async (orderId: string) => {
  const rows = await db.execute<{ state: string }>(
    sql`select state from refunds where order_id = ${orderId} order by created_at, id`,
  );
  return rows.map((row) => row.state);
};
const stepOf = async (orderId: string) => (await getOrder(buyer.viewer, orderId, "en")).refunds;
/** Lets the pause before the next attempt pass, and the sweeper find it. */
const nextAttempt = async () => {
  await db.execute(
    sql`update refunds set updated_at = shop_now() - interval '5 minutes' where state = 'pending'`,
  );
  await sweepJob.run(undefined);
};

describe("a refund that fails", () => {
  it("is tried again as a new one, after a pause, and the shopper sees that it is on its way", async () => {
    const { orderId, intentId, refundId } = await paidTooLate();
    returnSandboxRefunds(1);
    await sendRefund(refundId); // taken, and back from the bank at once
    expect(await attemptsOf(orderId)).toEqual(["submitted"]);
    await sale.settled();
    expect(await attemptsOf(orderId)).toEqual(["failed", "pending"]);
    expect(await stepOf(orderId)).toMatchObject([{ step: "submitted", amount: 10 }]);
    await sweepJob.run(undefined); // not before its time
    await sale.runQueue();
    expect(await attemptsOf(orderId)).toEqual(["failed", "pending"]);
    await nextAttempt();
    expect(await attemptsOf(orderId)).toEqual(["failed", "succeeded"]);
    expect(await stepOf(orderId)).toMatchObject([{ step: "done" }]);
    expect(await cashOf(orderId)).toEqual({ cents: 0 });
    const keys = await db.execute(
      sql`select distinct key from sandbox_requests where parameters like ${`POST /v1/refunds %${intentId}%`}`,
    );
    expect(keys).toHaveLength(2);
    expect(await auditOf(orderId)).toEqual([]);
    await sale.runQueue();
  });

  it("is heard of before the answer that it was taken", async () => {
    const { orderId, refundId } = await paidTooLate();
    returnSandboxRefunds(1);
    failSandbox("create_refund", { when: "after", as: "reset" }, 3);
    await expect(sendRefund(refundId)).rejects.toThrow(); // made, but the answer was lost
    expect(await refundOf(refundId)).toEqual({ state: "pending", provider_id: null });
    await sale.settled();
    expect(await attemptsOf(orderId)).toEqual(["failed", "pending"]);
    expect((await refundOf(refundId)).provider_id).toMatch(/^re_/);
    await sendRefund(refundId); // the late answer changes nothing
    expect(await attemptsOf(orderId)).toEqual(["failed", "pending"]);
    await nextAttempt();
    expect(await attemptsOf(orderId)).toEqual(["failed", "succeeded"]);
    await sale.runQueue();
  });

  it("is not taken for another one that bears its name", async () => {
    const [ours, foreign] = [await paidTooLate(), await paidTooLate()];
    await sendRefund(foreign.refundId);
    const { provider_id: foreignId } = await refundOf(foreign.refundId);
    await sendRefund(ours.refundId, foreignId);
    const { state, provider_id } = await refundOf(ours.refundId);
    expect([state, provider_id === foreignId]).toEqual(["succeeded", false]);
    expect(await cashOf(ours.orderId)).toEqual({ cents: 0 });
    await sale.settled();
  });

  it("to the last is written down, told to the shopper once, and listed for staff", async () => {
    const { orderId, refundId } = await paidTooLate();
    returnSandboxRefunds(4);
    await sendRefund(refundId);
    for (let round = 0; round < 4; round += 1) {
      await sale.settled();
      await nextAttempt();
    }
    await sale.runQueue();
    expect(await attemptsOf(orderId)).toEqual(["failed", "failed", "failed", "failed"]);
    expect(await stepOf(orderId)).toMatchObject([{ step: "failed" }]);
    expect(await auditOf(orderId)).toEqual(["refund_failed"]);
    expect(await sale.mailsOf(orderId)).toContain("refund-failed sent");
    expect((await sale.mailsOf(orderId)).filter((mail) => mail.startsWith("refund-failed"))).toHaveLength(1);
    expect(await cashOf(orderId)).toEqual({ cents: 1000 });
    expect(await listFailedRefunds()).toMatchObject([{ orderId, amountCents: 1000 }]);
  });

  it("because the provider refuses it outright counts as an attempt", async () => {
    const { orderId, refundId } = await paidTooLate();
    vi.spyOn(paymentProvider(), "refund").mockRejectedValueOnce(
      new ProviderError("refused", "create_refund", "no", "balance_insufficient"),
    );
    await sendRefund(refundId);
    expect(await attemptsOf(orderId)).toEqual(["failed", "pending"]);
    await nextAttempt();
    expect(await attemptsOf(orderId)).toEqual(["failed", "succeeded"]);
    await sale.runQueue();
  });

  it("after it was called done is noticed by the provider's notice, the books say so, and it is tried again", async () => {
    const { orderId, intentId, refundId } = await paidTooLate();
    await sale.runQueue();
    const { state, provider_id } = await refundOf(refundId);
    expect(state).toBe("succeeded");
    expect(await cashOf(orderId)).toEqual({ cents: 0 });
    await failSandboxRefund(provider_id);
    await sale.settled();
    await notice("refund.updated", provider_id, intentId);
    await sale.runQueue();
    expect(await attemptsOf(orderId)).toEqual(["failed", "pending"]);
    expect(await cashOf(orderId)).toEqual({ cents: 1000 });
    await nextAttempt();
    expect(await cashOf(orderId)).toEqual({ cents: 0 });
    await sale.eventsArrived(); // the new attempt's own
    await sale.runQueue();
    const open = await db.execute(sql`select id from webhook_events where processed_at is null`);
    expect([...open]).toEqual([]);
  });

  it("was made although its answer was lost for longer than the key holds: it is found by its name, not made twice", async () => {
    const { orderId, intentId, refundId } = await paidTooLate();
    await paymentProvider().refund({ intentId, refundId, amountCents: 1000, idempotencyKey: refundId });
    await db.execute(sql`delete from sandbox_requests`);
    await db.execute(
      sql`update refunds set created_at = created_at - interval '25 hours' where id = ${refundId}`,
    );
    await sendRefund(refundId);
    expect(await attemptsOf(orderId)).toEqual(["succeeded"]);
    const made = await db.execute(sql`select 1 from sandbox_refunds where intent_id = ${intentId}`);
    expect(made).toHaveLength(1);
    await sale.runQueue();
  });
});

it("rejects a second refund of a line for the same reason", async () => {
  const { orderId } = await paidTooLate();
  const again = transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    await openRefund(tx, order!, { lineId: null, amountCents: 1000, reason: "paid_too_late" });
  });
  await expect(again).rejects.toThrow("exists already");
  await sale.runQueue();
});
