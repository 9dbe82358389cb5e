import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db, transaction } from "@/db/client";
import { createKeys, createSinglePlan } from "@/db/factories/catalog";
import { createMerchant } from "@/db/factories/merchants";
import { createStaff } from "@/db/factories/staff";
import { createWebhookEndpoint } from "@/db/factories/webhooks";
import { activatePass } from "@/lib/delivery/library/activate-pass";
import { approveReplacement } from "@/lib/delivery/replacement/decide-replacement";
import { requestReplacement } from "@/lib/delivery/replacement/request-replacement";
import { notifyLowStock } from "@/lib/merchants/key-files/notify-low-stock";
import { assignWaitingOrders } from "@/lib/orders/fulfilment/assign-waiting-orders";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { decideRefundRequest } from "@/lib/orders/refunds/decide-refund-request";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { createReview } from "@/lib/reviews/create-review";
import { WEBHOOK_DATA } from "@/lib/webhooks/contract-events";
import { recordWebhookEvent } from "@/lib/webhooks/record-webhook-event";
import type { WebhookEvent } from "@/lib/webhooks/rules";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

registerSaleHooks({ runJobs: true });
let buyer: sale.Buyer;
let merchant: { id: string };
beforeAll(async () => {
  merchant = await createMerchant();
  await createWebhookEndpoint(merchant);
});
beforeEach(async () => {
  buyer = await sale.createBuyer();
});

async function createOwnPlan(
  keys = 3,
  owner = merchant,
  availability: "in_stock" | "pre_order" = "in_stock",
): Promise<number> {
  const { id } = await createSinglePlan({ type: "month", keys, availability });
  await db.execute(sql`
    update products set merchant_id = ${owner.id} where id = (select product_id from plans where id = ${id})`);
  return id;
}
type Message = { type: WebhookEvent; data: Record<string, unknown>; keyId: string | null };
const listMessages = (planId: number) =>
  db.execute<Message>(sql`
    select type, data, key_id as "keyId" from webhook_messages m join webhook_deliveries d on d.message_id = m.id
    where m.data ->> 'vip_id' = ${String(planId)} order by d.id`);
const listTypes = async (planId: number) => (await listMessages(planId)).map(({ type }) => type);
const findLine = async (orderId: string) => {
  const [line] = await db.execute<{ id: string; key: string }>(sql`
    select l.id, k.id as key from order_lines l left join keys k on k.order_line_id = l.id where l.order_id = ${orderId}`);
  return line!;
};

describe("webhook events", () => {
  it("report a sale when it is paid and when its codes are there", async () => {
    const plan = await createOwnPlan();
    const orderId = await sale.sell(buyer, plan, 2);
    const messages = await listMessages(plan);
    expect(messages.map(({ type }) => type)).toEqual(["sale.created", "sale.delivered"]);
    const { id } = await findLine(orderId);
    expect(messages[0]!.data).toMatchObject({ sale_id: id, vip_id: plan, units: 2, pass_type: "month" });
  });

  it("report a pre-ordered sale as delivered once its codes come", async () => {
    const plan = await createOwnPlan(0, merchant, "pre_order");
    await sale.sell(buyer, plan);
    expect(await listTypes(plan)).toEqual(["sale.created"]);
    await createKeys(plan, 1);
    await assignWaitingOrders(plan);
    expect(await listTypes(plan)).toEqual(["sale.created", "sale.delivered"]);
    await sale.runQueue();
  });

  it("report a replaced code with its key, after the sale", async () => {
    const plan = await createOwnPlan();
    const line = await findLine(await sale.sell(buyer, plan));
    await requestReplacement(buyer.viewer, { library_id: line.key, reason: "Already used." });
    const [request] = await db.execute<{ id: string }>(
      sql`select id from replacement_requests where key_id = ${line.key}`,
    );
    const staff = await createStaff();
    await approveReplacement(request!.id, staff.viewer.userId);
    const messages = await listMessages(plan);
    expect(messages.map(({ type }) => type)).toEqual([
      "sale.created",
      "sale.delivered",
      "request.opened",
      "key.revoked",
      "request.decided",
    ]);
    expect(messages[3]).toMatchObject({ keyId: line.key, data: { reason: "replaced", sale_id: line.id } });
  });

  it("report an activation, a refund question and its answer in their order", async () => {
    const plan = await createOwnPlan();
    const orderId = await sale.sell(buyer, plan);
    const line = await findLine(orderId);
    await revealKey(buyer.viewer, { library_id: line.key });
    await activatePass(buyer.viewer, { library_id: line.key });
    expect((await listTypes(plan)).at(-1)).toBe("key.activated");
  });

  it("report a refund before the code was seen, without a reference to the code", async () => {
    const plan = await createOwnPlan();
    const orderId = await sale.sellWithoutMails(buyer, plan);
    const line = await findLine(orderId);
    await requestRefund(buyer.viewer, { order_id: orderId, order_product_id: line.id }, "en");
    const messages = await listMessages(plan);
    expect(messages.map(({ type }) => type)).toEqual(["sale.created", "sale.delivered", "sale.refunded"]);
    expect(messages[2]!.data).toMatchObject({ refunded_units: 1, refunded: messages[2]!.data.price });
  });

  it("report a refund question and its answer, with the code that is taken back", async () => {
    const plan = await createOwnPlan();
    const orderId = await sale.sell(buyer, plan);
    const line = await findLine(orderId);
    await requestRefund(buyer.viewer, { order_id: orderId, order_product_id: line.id }, "en");
    const [request] = await db.execute<{ id: string }>(
      sql`select id from refund_requests where order_line_id = ${line.id}`,
    );
    await decideRefundRequest(request!.id, { decision: "approved", by: "vendor" });
    const types = await listTypes(plan);
    expect(types.slice(0, 3)).toEqual(["sale.created", "sale.delivered", "request.opened"]);
    expect([...types.slice(3)].sort()).toEqual(["key.revoked", "request.decided", "sale.refunded"]);
  });

  it("report a review, and a payout by its own operation", async () => {
    const plan = await createOwnPlan();
    const orderId = await sale.sell(buyer, plan);
    const line = await findLine(orderId);
    await revealKey(buyer.viewer, { library_id: line.key });
    const [product] = await db.execute<{ id: number }>(
      sql`select product_id as id from plans where id = ${plan}`,
    );
    await createReview(buyer.viewer, {
      product_id: product!.id,
      order_id: orderId,
      rating: 4,
      title: "Good",
      content: "It does what it says.",
    });
    await transaction((tx) =>
      recordWebhookEvent(tx, {
        merchantId: merchant.id,
        type: "payout.sent",
        about: "payout:pay_1",
        data: { payout_id: "pay_1", amount: 12.5, currency: "USD" },
      }),
    );
    const rows = await db.execute<{ type: string }>(sql`
      select type from webhook_messages where data ->> 'product_id' = ${String(product!.id)} and type = 'review.created'
        or data ->> 'payout_id' = 'pay_1'`);
    expect(rows.map(({ type }) => type).sort()).toEqual(["payout.sent", "review.created"]);
  });

  it("report a plan that runs low and one that runs out once each, until it is restocked", async () => {
    const plan = await createOwnPlan(1);
    await db.execute(sql`insert into stock_alerts (plan_id, kind, value) values (${plan}, 'codes', 5)`);
    await db.execute(sql`
      insert into merchant_members (id, merchant_id, user_id, role) values (${`mem_${plan}`}, ${merchant.id}, ${buyer.id}, 'owner')`);
    await notifyLowStock();
    await notifyLowStock();
    expect(await listTypes(plan)).toEqual(["stock.low"]);
    await sale.sell(await sale.createBuyer(), plan);
    await notifyLowStock();
    await notifyLowStock();
    const stock = async () => (await listTypes(plan)).filter((type) => type.startsWith("stock."));
    expect(await stock()).toEqual(["stock.low", "stock.out"]);
    await createKeys(plan, 10);
    await notifyLowStock();
    await db.execute(sql`update keys set state = 'revoked' where plan_id = ${plan} and state = 'available'`);
    await notifyLowStock();
    expect(await stock()).toEqual(["stock.low", "stock.out", "stock.low", "stock.out"]);
  });

  it("are not written without a subscribed endpoint, or when the transaction is rolled back", async () => {
    const other = await createMerchant();
    await createWebhookEndpoint(other, { events: ["review.created"] });
    const plan = await createOwnPlan(3, other);
    await sale.sell(buyer, plan);
    const undone = transaction(async (tx) => {
      const data = { payout_id: "pay_2", amount: 1, currency: "USD" };
      await recordWebhookEvent(tx, {
        merchantId: merchant.id,
        type: "payout.sent",
        about: "payout:pay_2",
        data,
      });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    const rows = await db.execute(sql`
      select from webhook_messages where merchant_id = ${other.id} or data ->> 'payout_id' = 'pay_2'`);
    expect(rows).toHaveLength(0);
  });

  it("match the schema of their type", async () => {
    const messages = await db.execute<Message>(
      sql`select type, data, key_id as "keyId" from webhook_messages`,
    );
    expect(new Set(messages.map(({ type }) => type)).size).toBeGreaterThan(8);
    for (const { type, data, keyId } of messages)
      WEBHOOK_DATA[type].strict().parse(keyId ? { ...data, code: null } : data);
  });
});
