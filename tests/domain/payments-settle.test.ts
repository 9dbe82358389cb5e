import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { expireOrder } from "@/lib/orders/cancellation/close-unpaid-order";
import { findOrder, getOrder } from "@/lib/orders/find-order";
import { sweepJob } from "@/lib/orders/jobs";
import { settlePayment } from "@/lib/orders/payment/settle-payment";
import { updateOrderStatus } from "@/lib/orders/payment/update-order-status";
import { createPaymentIntent } from "@/lib/payments/create-payment-intent";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { auditSale } from "../setup/audit";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

registerSaleHooks();
let buyer: sale.Buyer;
beforeAll(async () => {
  buyer = await sale.createBuyer();
});

const createTestPlan = async (input = {}) => (await createSinglePlan({ keys: 3, ...input })).id;
/** Makes a processing payment settle at the next read. */
const makeDue = (intentId: string) =>
  db.execute(
    sql`update sandbox_intents set settles_at = shop_now() - interval '1 second' where id = ${intentId}`,
  );

describe("a payment outcome", () => {
  it("“succeeded” pays the order, assigns and mails the keys, and is booked once", async () => {
    const planId = await createTestPlan();
    const id = await sale.sell(buyer, planId, 2);
    expect(await sale.listOrderEvents(id)).toEqual(["created", "payment_verified", "assigned", "delivered"]);
    expect(await sale.countKeysByState(planId)).toEqual({ assigned: 2, available: 1 });
    expect(await sale.listOrderMails(id)).toEqual(["keys sent"]);
    const ledger = await db.execute(
      sql`select account, amount_cents from ledger_entries where order_id = ${id} order by account`,
    );
    expect([...ledger]).toEqual([
      { account: "merchant_payable", amount_cents: -1700 },
      { account: "merchant_share", amount_cents: 1700 },
      { account: "provider_cash", amount_cents: 2000 },
      { account: "sales", amount_cents: -2000 },
    ]);
  });

  it("“declined” leaves the order payable until its hold ends, and the same payment can succeed", async () => {
    const id = await sale.orderPlan(buyer, await createTestPlan({ keys: 9 }));
    const { intentId, clientSecret } = await sale.pay(buyer, id, "declined");
    await sale.processEvents();
    const order = await getOrder(buyer.viewer, id, "en");
    expect(order).toMatchObject({ status: "pending", can_pay: true, payment_error: "generic_decline" });
    expect(order.seconds_left).toBeGreaterThan(1700);
    expect((await sale.pay(buyer, id, "succeeded")).intentId).toBe(intentId);
    await sale.processEvents();
    expect(await sale.getOrderStatus(id)).toBe("completed");
    expect((await confirmSandboxIntent(clientSecret, "declined"))?.accepted).toBe(false);
  });

  it("“requires_action” leaves the order pending until authentication", async () => {
    const id = await sale.orderPlan(buyer, await createTestPlan());
    await sale.pay(buyer, id, "requires_action");
    await sale.processEvents();
    expect(await sale.getOrderStatus(id)).toBe("pending");
    await sale.pay(buyer, id, "succeeded");
    await sale.processEvents();
    expect(await sale.getOrderStatus(id)).toBe("completed");
  });

  it("“processing, then succeeded” delivers the order, which nothing releases meanwhile", async () => {
    const id = await sale.orderPlan(buyer, await createTestPlan());
    const { intentId } = await sale.pay(buyer, id, "processing_succeeded");
    await sale.processEvents();
    expect(await sale.getOrderStatus(id)).toBe("processingPayment");
    await sale.setClockAhead("31 minutes");
    await db.execute(
      sql`update sandbox_intents set settles_at = shop_now() + interval '1 hour' where id = ${intentId}`,
    );
    await expireOrder(id); // the hold has expired, but the bank may still pay: nothing is released
    expect(await sale.getOrderStatus(id)).toBe("processingPayment");
    await makeDue(intentId);
    await settlePayment(intentId);
    await sale.processEvents();
    expect(await sale.listOrderEvents(id)).toEqual([
      "created",
      "payment_started",
      "payment_verified",
      "assigned",
      "delivered",
    ]);
  });

  it("“processing, then failed” sends no email to an unverified buyer, whose address may be someone else's", async () => {
    const unverified = await sale.createBuyer({ verified: false });
    const id = await sale.orderPlan(unverified, await createTestPlan());
    const { intentId } = await sale.pay(unverified, id, "processing_failed");
    await sale.processEvents();
    await makeDue(intentId);
    await settlePayment(intentId);
    await sale.processEvents();
    expect(await sale.listOrderEvents(id)).toEqual(["created", "payment_started", "payment_failed"]);
    expect(await sale.listOrderMails(id)).toEqual([]);
  });

  it("“processing, then failed” makes the order payable again, with one email", async () => {
    const id = await sale.orderPlan(buyer, await createTestPlan());
    const { intentId } = await sale.pay(buyer, id, "processing_failed");
    await sale.processEvents();
    expect(await sale.getOrderStatus(id)).toBe("processingPayment");
    await makeDue(intentId);
    await Promise.all([settlePayment(intentId), settlePayment(intentId), settlePayment(intentId)]);
    await sale.processEvents();
    expect(await sale.listOrderEvents(id)).toEqual(["created", "payment_started", "payment_failed"]);
    expect(await sale.listOrderMails(id)).toEqual(["payment-failed sent"]);
    await sale.pay(buyer, id, "succeeded");
    await sale.processEvents();
    expect(await sale.getOrderStatus(id)).toBe("completed");
  });

  describe("for an order that its buyer cancelled meanwhile", () => {
    const cancelWhileProcessing = async (outcome: "processing_succeeded" | "processing_failed") => {
      const planId = await createTestPlan();
      const id = await sale.orderPlan(buyer, planId);
      const { intentId } = await sale.pay(buyer, id, outcome);
      await sale.processEvents();
      const { status } = await cancelOrder(buyer.viewer, { order_id: id });
      expect(status).toBe("processingPayment");
      expect(await findOrder(buyer.viewer, id, "en")).toMatchObject({
        status: "processingPayment",
        cancel_requested: true,
        can_pay: false,
        can_cancel: false,
      });
      await makeDue(intentId);
      await settlePayment(intentId);
      await sweepJob.run(undefined);
      await sale.processEvents();
      return { id, planId };
    };

    it("is refunded in full when it succeeds, and the keys are released", async () => {
      const { id, planId } = await cancelWhileProcessing("processing_succeeded");
      expect(await sale.listOrderEvents(id)).toEqual(["created", "payment_started", "cancelled", "refunded"]);
      expect(await sale.countKeysByState(planId)).toEqual({ available: 3 });
      expect(await sale.listOrderMails(id)).toEqual(["refund sent"]);
      expect(await auditSale()).toEqual([]);
    });

    it("cancels the order when it fails", async () => {
      const { id, planId } = await cancelWhileProcessing("processing_failed");
      expect(await sale.getOrderStatus(id)).toBe("cancelled");
      expect(await sale.countKeysByState(planId)).toEqual({ available: 3 });
      expect(await auditSale()).toEqual([]);
    });
  });

  it("“silent” is found by a status request, and the order is released when the hold expires", async () => {
    const planId = await createTestPlan();
    const id = await sale.orderPlan(buyer, planId);
    await sale.pay(buyer, id, "silent");
    await sale.processEvents();
    expect(await sale.getOrderStatus(id)).toBe("pending");
    const response = await updateOrderStatus(buyer.viewer, { order_id: id, status: "paid" });
    expect(response.status).toBe("processingPayment");
    await sale.setClockAhead("31 minutes");
    await expireOrder(id);
    await sale.processEvents();
    expect(await sale.listOrderEvents(id)).toEqual(["created", "payment_started", "expired"]);
    expect(await sale.countKeysByState(planId)).toEqual({ available: 3 });
  });
});

describe("requesting a status", () => {
  it("returns the actual status, not the requested one", async () => {
    const id = await sale.orderPlan(buyer, await createTestPlan());
    const requestTestStatus = (status: "paid" | "processingPayment" | "refunded" | "cancelled") =>
      updateOrderStatus(buyer.viewer, { order_id: id, status });
    await expect(requestTestStatus("paid")).rejects.toThrow("payment_unconfirmed");
    expect((await requestTestStatus("processingPayment")).status).toBe("pending");
    expect((await requestTestStatus("refunded")).status).toBe("pending");
    await sale.pay(buyer, id);
    expect((await requestTestStatus("paid")).status).toBe("paid"); // before the webhook's job has run
    await sale.processEvents();
    expect((await requestTestStatus("paid")).status).toBe("completed");
    await expect(requestTestStatus("cancelled")).rejects.toThrow("order_not_cancellable");
    const other = await sale.createBuyer();
    await expect(updateOrderStatus(other.viewer, { order_id: id, status: "paid" })).rejects.toThrow(
      "order_unknown",
    );
  });
});

describe("a payment whose amount differs from its order", () => {
  it("is booked, refunded, cancels the order, and is audited and mailed once", async () => {
    const planId = await createTestPlan({ purchaseLimit: 1 });
    const id = await sale.orderPlan(buyer, planId);
    const { intentId } = await sale.openPayment(buyer, id);
    await db.execute(
      sql`update sandbox_intents set status = 'succeeded', amount_cents = 1, received_cents = 1 where id = ${intentId}`,
    );
    for (let i = 0; i < 3; i++) await settlePayment(intentId);
    await sale.processEvents();
    expect(await sale.listOrderEvents(id)).toEqual(["created", "cancelled", "refunded"]);
    expect(await sale.countKeysByState(planId)).toEqual({ available: 3 });
    const auditRows = await db.execute(sql`select action from audit_entries where subject = ${id}`);
    expect([...auditRows]).toEqual([{ action: "payment_amount_mismatch" }]);
    expect(await sale.listOrderMails(id)).toContain("refund sent");
    const refunds = await db.execute(
      sql`select amount_cents, state, reason from refunds where order_id = ${id}`,
    );
    expect([...refunds]).toEqual([{ amount_cents: 1, state: "succeeded", reason: "amount_differs" }]);
    await expect(createPaymentIntent(buyer.viewer, { order_id: id })).rejects.toThrow("order_not_payable");
    await sale.orderPlan(buyer, planId); // the purchase claim is released
  });

  it("is refunded once when it is the second payment of an order", async () => {
    const id = await sale.orderPlan(buyer, await createTestPlan());
    const { intentId } = await sale.openPayment(buyer, id);
    await db.execute(sql`update payments set state = 'canceled' where intent_id = ${intentId}`);
    await sale.pay(buyer, id);
    await sale.processEvents();
    await db.execute(
      sql`update sandbox_intents set status = 'succeeded', received_cents = amount_cents where id = ${intentId}`,
    );
    for (let i = 0; i < 3; i++) await settlePayment(intentId);
    await sale.processEvents();
    expect(await sale.getOrderStatus(id)).toBe("completed");
    const refunds = await db.execute(
      sql`select intent_id, amount_cents, state, reason from refunds where order_id = ${id}`,
    );
    expect([...refunds]).toEqual([
      { intent_id: intentId, amount_cents: 1000, state: "succeeded", reason: "paid_twice" },
    ]);
    expect(await sale.listOrderMails(id)).toContain("refund sent");
  });
});

describe("a successful payment after the hold was released", () => {
  const createCancelledOrder = async (keys: number) => {
    const planId = await createTestPlan({ keys });
    const id = await sale.orderPlan(buyer, planId);
    const { intentId } = await sale.openPayment(buyer, id);
    await sale.expireHold(id);
    expect(await sale.countKeysByState(planId)).toEqual({ available: keys });
    return { planId, id, intentId };
  };
  /** The payment succeeds although it was cancelled. */
  const payLate = async (intentId: string) => {
    await db.execute(
      sql`update sandbox_intents set status = 'succeeded', received_cents = amount_cents where id = ${intentId}`,
    );
    await Promise.all([settlePayment(intentId), settlePayment(intentId)]);
    await sale.processEvents();
  };

  it("completes the order when keys are available", async () => {
    const { id, intentId, planId } = await createCancelledOrder(1);
    await payLate(intentId);
    expect(await sale.listOrderEvents(id)).toEqual([
      "created",
      "expired",
      "payment_verified",
      "assigned",
      "delivered",
    ]);
    expect(await sale.countKeysByState(planId)).toEqual({ assigned: 1 });
  });

  it("is refunded once when no keys are available", async () => {
    const { id, intentId, planId } = await createCancelledOrder(1);
    await sale.sell(await sale.createBuyer(), planId);
    await payLate(intentId);
    await payLate(intentId);
    expect(await sale.listOrderEvents(id)).toEqual(["created", "expired", "refunded"]);
    expect(await sale.listOrderMails(id)).toEqual(["refund sent"]);
    const [intent] = await db.execute(
      sql`select received_cents, refunded_cents from sandbox_intents where id = ${intentId}`,
    );
    expect(intent).toEqual({ received_cents: 1000, refunded_cents: 1000 });
    expect(await auditSale()).toEqual([]);
  });
});
