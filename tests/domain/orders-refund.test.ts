import { sql } from "drizzle-orm";
import Stripe from "stripe";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { db, transaction } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { ConsoleRefundsInput } from "@/lib/orders/console/contract-refunds";
import { listConsoleRefunds } from "@/lib/orders/console/list-console-refunds";
import { getOrder } from "@/lib/orders/find-order";
import { sweepJob } from "@/lib/orders/jobs";
import { receiveWebhook } from "@/lib/orders/payment/receive-webhook";
import { settlePayment } from "@/lib/orders/payment/settle-payment";
import { openRefund } from "@/lib/orders/refunds/open-refund";
import { sendRefund } from "@/lib/orders/refunds/send-refund";
import { lockOrder } from "@/lib/orders/status/lock-order";
import { newId } from "@/lib/platform/crypto/ids";
import { env } from "@/lib/platform/env";
import { ProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import { failSandboxRefund } from "@/lib/platform/stripe/sandbox/dashboard";
import { auditSale } from "../setup/audit";
import { getProviderCash } from "../setup/ledger";
import * as sale from "../setup/sale";
import { failSandbox, returnSandboxRefunds } from "../setup/stripe-faults";

let buyer: sale.Buyer;
beforeAll(async () => {
  sale.receiveEventsInProcess();
  buyer = await sale.createBuyer();
});
afterEach(async () => {
  vi.restoreAllMocks();
  expect(await auditSale()).toEqual([]);
});
afterAll(sale.closeSale);

/** An order paid after its cancellation: its refund is pending and not yet sent to the provider. */
async function createLatePayment() {
  const planId = (await createSinglePlan({ keys: 1 })).id;
  const orderId = await sale.orderPlan(buyer, planId);
  const { intentId } = await sale.openPayment(buyer, orderId);
  await cancelOrder(buyer.viewer, { order_id: orderId });
  await sale.sell(await sale.createBuyer(), planId);
  await db.execute(
    sql`update sandbox_intents set status = 'succeeded', received_cents = amount_cents where id = ${intentId}`,
  );
  await settlePayment(intentId);
  const [refund] = await db.execute<{ id: string }>(sql`select id from refunds where order_id = ${orderId}`);
  return { orderId, intentId, refundId: refund!.id };
}
const getRefund = async (refundId: string) => {
  const [row] = await db.execute<{ state: string; provider_id: string }>(
    sql`select state, provider_id from refunds where id = ${refundId}`,
  );
  return row!;
};
const listAuditActions = async (orderId: string) => {
  const rows = await db.execute<{ action: string }>(
    sql`select action from audit_entries where subject = ${orderId}`,
  );
  return rows.map((row) => row.action);
};
/** A signed event about a refund, as the provider sends it later. */
const deliverRefundEvent = async (type: string, providerId: string, intentId: string) => {
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
const listRefundStates = async (orderId: string) => {
  const rows = await db.execute<{ state: string }>(
    sql`select state from refunds where order_id = ${orderId} order by created_at, id`,
  );
  return rows.map((row) => row.state);
};
const listRefundViews = async (orderId: string) => (await getOrder(buyer.viewer, orderId, "en")).refunds;
/** Ends the pause before the next attempt and runs the sweeper. */
const runNextAttempt = async () => {
  await db.execute(
    sql`update refunds set updated_at = shop_now() - interval '5 minutes' where state = 'pending'`,
  );
  await sweepJob.run(undefined);
};

describe("a refund that fails", () => {
  it("is retried as a new refund after a pause, and shown as submitted", async () => {
    const { orderId, intentId, refundId } = await createLatePayment();
    returnSandboxRefunds(1);
    await sendRefund(refundId); // accepted, and returned by the bank at once
    expect(await listRefundStates(orderId)).toEqual(["submitted"]);
    await sale.processEvents();
    expect(await listRefundStates(orderId)).toEqual(["failed", "pending"]);
    expect(await listRefundViews(orderId)).toMatchObject([{ step: "submitted", amount: 10 }]);
    await sweepJob.run(undefined); // too early
    await sale.runQueue();
    expect(await listRefundStates(orderId)).toEqual(["failed", "pending"]);
    await runNextAttempt();
    expect(await listRefundStates(orderId)).toEqual(["failed", "succeeded"]);
    expect(await listRefundViews(orderId)).toMatchObject([{ step: "done" }]);
    expect(await getProviderCash(orderId)).toBe(0);
    const keys = await db.execute(
      sql`select distinct key from sandbox_requests where parameters like ${`POST /v1/refunds %${intentId}%`}`,
    );
    expect(keys).toHaveLength(2);
    expect(await listAuditActions(orderId)).toEqual([]);
    await sale.runQueue();
  });

  it("is recorded by its webhook event when the response of its creation was lost", async () => {
    const { orderId, refundId } = await createLatePayment();
    returnSandboxRefunds(1);
    failSandbox("create_refund", { when: "after", as: "reset" });
    await expect(sendRefund(refundId)).rejects.toThrow(); // created, but the response was lost
    expect(await getRefund(refundId)).toEqual({ state: "pending", provider_id: null });
    await sale.processEvents();
    expect(await listRefundStates(orderId)).toEqual(["failed", "pending"]);
    expect((await getRefund(refundId)).provider_id).toMatch(/^re_/);
    await sendRefund(refundId); // a repetition changes nothing
    expect(await listRefundStates(orderId)).toEqual(["failed", "pending"]);
    await runNextAttempt();
    expect(await listRefundStates(orderId)).toEqual(["failed", "succeeded"]);
    await sale.runQueue();
  });

  it("is not confused with another order's refund id", async () => {
    const [ownRefund, foreignRefund] = [await createLatePayment(), await createLatePayment()];
    await sendRefund(foreignRefund.refundId);
    const { provider_id: foreignId } = await getRefund(foreignRefund.refundId);
    await sendRefund(ownRefund.refundId, foreignId);
    const { state, provider_id } = await getRefund(ownRefund.refundId);
    expect([state, provider_id === foreignId]).toEqual(["succeeded", false]);
    expect(await getProviderCash(ownRefund.orderId)).toBe(0);
    await sale.processEvents();
  });

  it("after the last attempt is audited, mailed to the buyer once, and listed for staff", async () => {
    const { orderId, refundId } = await createLatePayment();
    returnSandboxRefunds(4);
    await sendRefund(refundId);
    for (let round = 0; round < 4; round += 1) {
      await sale.processEvents();
      await runNextAttempt();
    }
    await sale.runQueue();
    expect(await listRefundStates(orderId)).toEqual(["failed", "failed", "failed", "failed"]);
    expect(await listRefundViews(orderId)).toMatchObject([{ step: "failed" }]);
    expect(await listAuditActions(orderId)).toEqual(["refund_failed"]);
    expect(await sale.listOrderMails(orderId)).toContain("refund-failed sent");
    expect(
      (await sale.listOrderMails(orderId)).filter((mail) => mail.startsWith("refund-failed")),
    ).toHaveLength(1);
    expect(await getProviderCash(orderId)).toBe(1000);
    const { items } = await listConsoleRefunds(ConsoleRefundsInput.parse({ state: "failed" }), "en");
    expect(items).toMatchObject([{ order_id: orderId, amount: 10 }]);
  });

  it("counts a refusal by the provider as an attempt", async () => {
    const { orderId, refundId } = await createLatePayment();
    vi.spyOn(paymentProvider(), "refund").mockRejectedValueOnce(
      new ProviderError("refused", "create_refund", "no", "balance_insufficient"),
    );
    await sendRefund(refundId);
    expect(await listRefundStates(orderId)).toEqual(["failed", "pending"]);
    await runNextAttempt();
    expect(await listRefundStates(orderId)).toEqual(["failed", "succeeded"]);
    await sale.runQueue();
  });

  it("after it had succeeded is recorded by the webhook event, booked back and retried", async () => {
    const { orderId, intentId, refundId } = await createLatePayment();
    await sale.runQueue();
    const { state, provider_id } = await getRefund(refundId);
    expect(state).toBe("succeeded");
    expect(await getProviderCash(orderId)).toBe(0);
    await failSandboxRefund(provider_id);
    await sale.processEvents();
    await deliverRefundEvent("refund.updated", provider_id, intentId);
    await sale.runQueue();
    expect(await listRefundStates(orderId)).toEqual(["failed", "pending"]);
    expect(await getProviderCash(orderId)).toBe(1000);
    await runNextAttempt();
    expect(await getProviderCash(orderId)).toBe(0);
    await sale.waitForEvents(); // the event of the new attempt
    await sale.runQueue();
    const unprocessed = await db.execute(sql`select id from webhook_events where processed_at is null`);
    expect([...unprocessed]).toEqual([]);
  });

  it("is found by its metadata and not repeated when its response was lost longer than its idempotency key lasts", async () => {
    const { orderId, intentId, refundId } = await createLatePayment();
    await paymentProvider().refund({ intentId, refundId, amountCents: 1000, idempotencyKey: refundId });
    await db.execute(sql`delete from sandbox_requests`);
    await db.execute(
      sql`update refunds set created_at = created_at - interval '25 hours' where id = ${refundId}`,
    );
    await sendRefund(refundId);
    expect(await listRefundStates(orderId)).toEqual(["succeeded"]);
    const sandboxRefunds = await db.execute(sql`select 1 from sandbox_refunds where intent_id = ${intentId}`);
    expect(sandboxRefunds).toHaveLength(1);
    await sale.runQueue();
  });
});

it("openRefund throws for a duplicate refund", async () => {
  const { orderId } = await createLatePayment();
  const secondRefund = transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    await openRefund(tx, order!, { lineId: null, amountCents: 1000, reason: "cancelled" });
  });
  await expect(secondRefund).rejects.toThrow("exists already");
  await sale.runQueue();
});
