import { beforeEach, describe, expect, it } from "vitest";
import { createSinglePlan, type PlanInput } from "@/db/factories/catalog";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { queueExpiryReminder } from "@/lib/orders/cancellation/mail-unpaid-orders";
import { getOrder } from "@/lib/orders/find-order";
import { resendKeys } from "@/lib/orders/fulfilment/resend-keys";
import { sweepJob } from "@/lib/orders/jobs";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

registerSaleHooks({ runJobs: true });
let buyer: sale.Buyer;
beforeEach(async () => {
  buyer = await sale.createBuyer();
});

const createTestPlan = async (input: PlanInput = {}) =>
  (await createSinglePlan({ type: "month", keys: 3, ...input })).id;
const listMailTexts = async (event: string) =>
  ((await findMailboxMails(buyer.email)) ?? [])
    .filter((mail) => mail.event === event)
    .map((mail) => mail.text);

describe("resending codes", () => {
  it("sends identical mails to the order's address, at most three an hour", async () => {
    const orderId = await sale.sell(buyer, await createTestPlan());
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect(await resendKeys(buyer.viewer, { order_id: orderId })).toEqual({
        order_id: orderId,
        send_email: buyer.email,
        sent: 1,
      });
    expect(await getErrorName(resendKeys(buyer.viewer, { order_id: orderId }))).toBe("too_many_requests");
    await sale.runQueue();
    const texts = await listMailTexts("keys");
    expect(texts).toHaveLength(4);
    expect(new Set(texts).size).toBe(1);
    await sale.setClockAhead("61 minutes");
    expect(await getErrorName(resendKeys(buyer.viewer, { order_id: orderId }))).toBeNull();
  });

  it("counts against the limit on emails to unverified addresses for an unverified buyer", async () => {
    const unverified = await sale.createBuyer({ verified: false });
    const planId = await createTestPlan({ keys: 9 });
    const orderIds: string[] = [];
    for (let n = 0; n < 3; n++) orderIds.push(await sale.sell(unverified, planId));
    const outcomes: (string | null)[] = [];
    for (const order_id of orderIds)
      for (let n = 0; n < 3; n++)
        outcomes.push(await getErrorName(resendKeys(unverified.viewer, { order_id })));
    expect(outcomes).toEqual([...Array(8).fill(null), "too_many_requests"]);
  });

  it("is rejected before delivery and for other users, and sends nothing after a refund request", async () => {
    const planId = await createTestPlan({ keys: 5 });
    const unpaidOrder = await sale.orderPlan(buyer, planId);
    expect(await getErrorName(resendKeys(buyer.viewer, { order_id: unpaidOrder }))).toBe("key_unknown");
    const orderId = await sale.sell(buyer, planId);
    const other = await sale.createBuyer();
    expect(await getErrorName(resendKeys(other.viewer, { order_id: orderId }))).toBe("order_unknown");
    await resendKeys(buyer.viewer, { order_id: orderId });
    const [line] = (await getOrder(buyer.viewer, orderId, "en")).order_products;
    await requestRefund(buyer.viewer, { order_id: orderId, order_product_id: line!.order_product_id }, "en");
    await sale.runQueue();
    expect(await listMailTexts("keys")).toHaveLength(1);
  });
});

const runSweeper = async () => {
  await sweepJob.run(undefined);
  await sale.runQueue();
};

describe("the email about a held order", () => {
  it("is sent once, after ten minutes unpaid", async () => {
    await sale.orderPlan(buyer, await createTestPlan({ keys: 9 }));
    await sale.setClockAhead("9 minutes 50 seconds");
    await runSweeper();
    expect(await listMailTexts("order-placed")).toHaveLength(0);
    await sale.setClockAhead("10 minutes 1 second");
    await runSweeper();
    await runSweeper();
    expect(await listMailTexts("order-placed")).toHaveLength(1);
  });

  it("is not sent for paid, cancelled or free orders", async () => {
    const planId = await createTestPlan({ keys: 9 });
    await sale.sell(buyer, planId);
    await sale.orderPlan(buyer, await createTestPlan({ priceCents: 0 }));
    const cancelled = await sale.orderPlan(buyer, planId);
    await cancelOrder(buyer.viewer, { order_id: cancelled });
    await sale.setClockAhead("11 minutes");
    await runSweeper();
    expect(await listMailTexts("order-placed")).toHaveLength(0);
  });

  it("is the only reminder of a short hold", async () => {
    await sale.orderPlan(buyer, await createTestPlan({ keys: 2 }));
    for (const minutes of [6, 11, 14]) {
      await sale.setClockAhead(`${minutes} minutes`);
      await runSweeper();
    }
    expect(await listMailTexts("order-placed")).toHaveLength(1);
    expect(await listMailTexts("order-expiring")).toHaveLength(0);
  });
});

describe("the reminder before a hold ends", () => {
  it("is sent once in the last ten minutes", async () => {
    await sale.orderPlan(buyer, await createTestPlan({ keys: 9 }));
    await sale.setClockAhead("19 minutes");
    await runSweeper();
    expect(await listMailTexts("order-expiring")).toHaveLength(0);
    await sale.setClockAhead("20 minutes 1 second");
    await runSweeper();
    await runSweeper();
    expect(await listMailTexts("order-expiring")).toHaveLength(1);
  });

  it("is not sent for paid, free and expired orders", async () => {
    const planId = await createTestPlan({ keys: 5 });
    const free = await sale.orderPlan(buyer, await createTestPlan({ priceCents: 0 }));
    await queueExpiryReminder(free);
    const paid = await sale.sell(buyer, planId);
    const openOrder = await sale.orderPlan(buyer, planId);
    await queueExpiryReminder(paid);
    await sale.setClockAhead("31 minutes");
    await queueExpiryReminder(openOrder);
    await runSweeper();
    expect(await listMailTexts("order-expiring")).toHaveLength(0);
  });
});
