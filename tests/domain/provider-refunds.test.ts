import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { getOrder } from "@/lib/orders/find-order";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { reconcileWithProvider } from "@/lib/orders/reconciliation/reconcile-with-provider";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { failSandboxRefund, refundInDashboard } from "@/lib/platform/stripe/sandbox/dashboard";
import { deliverSandboxEvents } from "@/lib/platform/stripe/sandbox/events";
import { getErrorName } from "../setup/error-name";
import { getProviderCash } from "../setup/ledger";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";
import { disputeSandboxPayment } from "../setup/sandbox-bank";
import { dropSandboxEvents } from "../setup/stripe-faults";

/** Refunds that somebody makes in the provider's dashboard, without metadata of the shop. */
registerSaleHooks({ runJobs: true });
let buyer: sale.Buyer;
let monthId: number;
let otherId: number;
beforeAll(async () => {
  buyer = await sale.createBuyer();
  monthId = (await createSinglePlan({ type: "month", keys: 40 })).id;
  otherId = (await createSinglePlan({ type: "month", keys: 20 })).id;
});

const KEPT = { immediate_delivery: false, keep_in_library: true };

/** A paid order of one line ($10.00), or of two. */
async function createPaidOrder({ lines = 1, kept = false } = {}) {
  await sale.forgetHolds(buyer);
  const cart = [await createCartLine(buyer.id, monthId)];
  if (lines > 1) cart.push(await createCartLine(buyer.id, otherId));
  const { order_id: orderId } = await placeOrder(buyer.viewer, { cart_record_ids: cart }, "en");
  const { intentId } = await sale.pay(buyer, orderId, "succeeded", kept ? KEPT : {});
  await sale.processEvents();
  return { orderId, intentId };
}
const refund = async (intentId: string, cents?: number) => {
  const id = await refundInDashboard(intentId, cents);
  await sale.processEvents();
  return id;
};
const listLines = async (orderId: string) => (await getOrder(buyer.viewer, orderId, "en")).order_products;
const listSales = (orderId: string) =>
  db.execute<{ state: string; refunded_cents: number; kept: number }>(sql`
    select state, refunded_cents, net_cents - net_back_cents as kept from merchant_sales where order_id = ${orderId} order by line_id`);
const listRefunds = async (orderId: string) => [
  ...(await db.execute<{ reason: string; state: string; amount_cents: number }>(
    sql`select reason, state, amount_cents from refunds where order_id = ${orderId} order by created_at, id`,
  )),
];
const listKeyStates = async (orderId: string) =>
  (
    await db.execute<{ state: string }>(sql`
      select k.state from keys k join order_lines l on l.id = k.order_line_id where l.order_id = ${orderId} order by k.id`)
  ).map(({ state }) => state);

describe("a refund of the whole payment in the provider's dashboard", () => {
  it("is recorded from its event: the order is refunded, its code locked, the sale reversed and the buyer notified", async () => {
    const { orderId, intentId } = await createPaidOrder({ kept: true });
    await refund(intentId);
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
    expect(await listRefunds(orderId)).toEqual([
      { reason: "made_at_provider", state: "succeeded", amount_cents: 1000 },
    ]);
    const [line] = await listLines(orderId);
    expect(line).toMatchObject({ state: "refunded", refunded_amount: 10, can_refund: false });
    expect(await listKeyStates(orderId)).toEqual(["quarantined"]);
    const [key] = await db.execute<{ id: string }>(sql`
      select k.id from keys k join order_lines l on l.id = k.order_line_id where l.order_id = ${orderId}`);
    expect(await getErrorName(revealKey(buyer.viewer, { library_id: key!.id }))).toBe("key_frozen");
    expect(await listSales(orderId)).toMatchObject([{ state: "refunded", kept: 0 }]);
    expect(await sale.listOrderMails(orderId)).toContain("refund sent");
    expect(await getProviderCash(orderId)).toBe(0);
  });

  it("is booked once despite repeated events and the nightly reconciliation", async () => {
    const { orderId, intentId } = await createPaidOrder();
    await refund(intentId);
    await db.execute(
      sql`update sandbox_events set due_at = shop_now(), deliveries = 0 where payload::text like ${`%${intentId}%`}`,
    );
    await db.execute(sql`delete from webhook_events where payload->>'payment_intent' = ${intentId}`);
    await deliverSandboxEvents();
    await sale.processEvents();
    expect((await reconcileWithProvider()).differences).toEqual([]);
    expect(await listRefunds(orderId)).toHaveLength(1);
    expect(await getProviderCash(orderId)).toBe(0);
    const mails = await sale.listOrderMails(orderId);
    expect(mails.filter((mail) => mail === "refund sent")).toHaveLength(1);
  });

  it("is recorded by the nightly reconciliation when its events are lost", async () => {
    const { orderId, intentId } = await createPaidOrder();
    dropSandboxEvents();
    await refundInDashboard(intentId);
    await sale.waitForLastEvents();
    sale.receiveEventsInProcess();
    expect((await reconcileWithProvider()).differences).toMatchObject([
      { object: "refund", kind: "missing_here", repaired: true },
    ]);
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
    expect(await listKeyStates(orderId)).toEqual(["quarantined"]);
    expect(await sale.listOrderMails(orderId)).toContain("refund sent");
  });

  it("before the codes are assigned returns the held codes to stock", async () => {
    await sale.forgetHolds(buyer);
    const orderId = await sale.orderPlan(buyer, monthId);
    const { intentId } = await sale.pay(buyer, orderId);
    const id = await refundInDashboard(intentId);
    await sale.processEvents();
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
    expect(id).toMatch(/^re_/);
    expect(await getProviderCash(orderId)).toBe(0);
  });

  it("that the bank returns reopens the order: its code works, the sale counts and the money can be refunded", async () => {
    const { orderId, intentId } = await createPaidOrder({ kept: true });
    const id = await refund(intentId);
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
    await failSandboxRefund(id);
    await sale.processEvents();
    expect(await sale.getOrderStatus(orderId)).toBe("shipped");
    expect(await listKeyStates(orderId)).toEqual(["assigned"]);
    expect(await listSales(orderId)).toMatchObject([{ state: "sold", refunded_cents: 0 }]);
    expect(await listLines(orderId)).toMatchObject([
      { state: "assigned", refunded_amount: 0, can_refund: true },
    ]);
    expect(await getProviderCash(orderId)).toBe(1000);
    expect(await listRefunds(orderId)).toEqual([
      { reason: "made_at_provider", state: "cancelled", amount_cents: 1000 },
    ]);
    expect((await reconcileWithProvider()).differences).toEqual([]);
  });
});

describe("a partial refund in the provider's dashboard", () => {
  it("is spread over the lines, and the rest can still be refunded", async () => {
    const { orderId, intentId } = await createPaidOrder({ lines: 2, kept: true });
    await refund(intentId, 500);
    const lines = await listLines(orderId);
    expect(lines.map((line) => [line.refunded_amount, line.refund.amount])).toEqual([
      [2.5, 7.5],
      [2.5, 7.5],
    ]);
    expect(await listSales(orderId)).toMatchObject([{ state: "reduced" }, { state: "reduced" }]);
    expect(await sale.listOrderMails(orderId)).toContain("refund sent");
    const input = { order_id: orderId, order_product_id: lines[0]!.order_product_id };
    expect(await requestRefund(buyer.viewer, input, "en")).toMatchObject({ refund_amount: 7.5 });
    await refund(intentId); // the rest: what the shop's own refund has left, or all of it
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
    expect(await getProviderCash(orderId)).toBe(0);
    expect((await reconcileWithProvider()).differences).toEqual([]);
  });

  it("that the bank returns can be refunded again", async () => {
    const { orderId, intentId } = await createPaidOrder({ lines: 2 });
    const id = await refund(intentId, 501);
    await failSandboxRefund(id);
    await sale.processEvents();
    const lines = await listLines(orderId);
    expect(lines.map((line) => line.refunded_amount)).toEqual([0, 0]);
    expect(await listSales(orderId)).toMatchObject([{ state: "sold" }, { state: "sold" }]);
    expect(await getProviderCash(orderId)).toBe(2000);
  });
});

describe("a dashboard refund combined with others", () => {
  it("replaces an unsent refund of the shop, which is sent when the bank returns it", async () => {
    const { orderId, intentId } = await createPaidOrder({ kept: true });
    const [line] = await listLines(orderId);
    const input = { order_id: orderId, order_product_id: line!.order_product_id };
    await requestRefund(buyer.viewer, input, "en");
    await db.execute(sql`delete from graphile_worker._private_jobs where task_id in (
      select id from graphile_worker._private_tasks where identifier = 'send-refund')`);
    const id = await refund(intentId);
    expect(await listRefunds(orderId)).toEqual([
      { reason: "requested", state: "cancelled", amount_cents: 1000 },
      { reason: "made_at_provider", state: "succeeded", amount_cents: 1000 },
    ]);
    expect(await getProviderCash(orderId)).toBe(0);
    await failSandboxRefund(id);
    await sale.processEvents();
    expect(await listRefunds(orderId)).toEqual([
      { reason: "requested", state: "succeeded", amount_cents: 1000 },
      { reason: "made_at_provider", state: "cancelled", amount_cents: 1000 },
    ]);
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
    expect(await getProviderCash(orderId)).toBe(0);
  });

  it("during an inquiry is recorded, and the end of the inquiry changes nothing", async () => {
    const { orderId, intentId } = await createPaidOrder();
    await disputeSandboxPayment(intentId, "warning_needs_response");
    await sale.processEvents();
    await refund(intentId);
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
    await disputeSandboxPayment(intentId, "won");
    await sale.processEvents();
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
    expect(await getProviderCash(orderId)).toBe(0);
  });

  it("leaves the rest to a lost dispute when it is partial", async () => {
    const { orderId, intentId } = await createPaidOrder();
    await refund(intentId, 400);
    await disputeSandboxPayment(intentId, "needs_response");
    await sale.processEvents();
    await disputeSandboxPayment(intentId, "lost");
    await sale.processEvents();
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
    expect(await getProviderCash(orderId)).toBe(0);
    expect(await listLines(orderId)).toMatchObject([{ refunded_amount: 10 }]);
  });
});
