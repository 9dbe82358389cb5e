import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan, type PlanInput } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { listLibrary } from "@/lib/delivery/library/list-library";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { expireOrder } from "@/lib/orders/cancellation/close-unpaid-order";
import { chooseDelivery } from "@/lib/orders/delivery-options/choose-delivery";
import { getOrder } from "@/lib/orders/find-order";
import { resendKeys } from "@/lib/orders/fulfilment/resend-keys";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { placeOrder } from "@/lib/orders/placing/place-order";
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
const listLines = async (orderId: string) => (await getOrder(buyer.viewer, orderId, "en")).order_products;
const choose = (order_id: string, choice: { keep_in_library?: boolean; immediate_delivery?: boolean }) =>
  chooseDelivery(buyer.viewer, { order_id, ...choice });
const payAndDeliver = async (orderId: string) => {
  await sale.pay(buyer, orderId);
  await sale.processEvents();
};
const listKeysMails = async () =>
  ((await findMailboxMails(buyer.email)) ?? []).filter((mail) => mail.event === "keys");

describe("a line that the shop does not refund", () => {
  it("keeps the right of withdrawal before the payment, and then while its code is unrevealed", async () => {
    const plan = await createTestPlan({ type: "day" });
    const cart = [await createCartLine(buyer.id, plan)];
    const { order_id } = await placeOrder(buyer.viewer, { cart_record_ids: cart }, "en");
    const read = async () => (await listLines(order_id))[0]!;
    await choose(order_id, { immediate_delivery: false });
    expect(await read()).toMatchObject({ withdrawable: true, refund: { reason: "short_pass" } });
    await chooseDelivery(buyer.viewer, { order_id, country: "JP" });
    expect((await read()).withdrawable).toBe(false);
    await chooseDelivery(buyer.viewer, { order_id, country: "DE" });
    await payAndDeliver(order_id);
    expect(await read()).toMatchObject({ withdrawable: true, refund: { reason: "short_pass" } });
    await revealKey(buyer.viewer, { library_id: (await read()).keys[0]!.library_id });
    expect((await read()).withdrawable).toBe(false);
  });

  it("loses the right of withdrawal on the fifteenth day", async () => {
    const cart = [await createCartLine(buyer.id, await createTestPlan({ type: "day" }))];
    const { order_id } = await placeOrder(buyer.viewer, { cart_record_ids: cart }, "en");
    await choose(order_id, { immediate_delivery: false });
    await payAndDeliver(order_id);
    await sale.setClockAhead("15 days 1 minute");
    expect((await listLines(order_id))[0]!.withdrawable).toBe(false);
  });
});

describe("codes kept in the library", () => {
  it("are not mailed; the mail refers to the library, and the order is completed when they are shown", async () => {
    const [plan, day] = [await createTestPlan(), await createTestPlan({ type: "day" })];
    const cart = [await createCartLine(buyer.id, plan), await createCartLine(buyer.id, day)];
    const { order_id } = await placeOrder(buyer.viewer, { cart_record_ids: cart }, "en");
    const keptLine = (await listLines(order_id)).find((line) => line.vip_id === plan)!;
    expect(await choose(order_id, { keep_in_library: true })).toEqual({
      order_id,
      keep_in_library: true,
      immediate_delivery: null,
      country: null,
      withdrawal_applies: true, // neither country nor time zone is known
      kept_order_product_ids: [keptLine.order_product_id], // a day pass is not refundable, so it is mailed
    });
    await payAndDeliver(order_id);
    expect(await sale.getOrderStatus(order_id)).toBe("shipped");
    const [mail, ...more] = await listKeysMails();
    expect(more).toEqual([]);
    const lines = await listLines(order_id);
    const codes = await Promise.all(
      lines.map(async (line) => ({
        plan: line.vip_id,
        ...(await revealKey(buyer.viewer, { library_id: line.keys[0]!.library_id })),
      })),
    );
    expect(await sale.getOrderStatus(order_id)).toBe("completed");
    for (const { plan: planId, code } of codes) expect(mail!.text.includes(code)).toBe(planId === day);
    expect(mail!.text).toContain("One code is kept in your Library.");
    const [row] = await db.execute<{ n: number }>(sql`
      select count(*)::int as n from keys where order_line_id = ${keptLine.order_product_id} and mailed_at is not null`);
    expect(row!.n).toBe(0);
  });

  it("alone result in an email without codes, and are refunded immediately", async () => {
    const plan = await createTestPlan();
    const orderId = await sale.orderPlan(buyer, plan, 2);
    await choose(orderId, { keep_in_library: true });
    await payAndDeliver(orderId);
    expect(await sale.getOrderStatus(orderId)).toBe("shipped");
    expect((await listKeysMails())[0]!.text).toContain("2 codes are kept in your Library.");
    expect((await listLibrary(buyer.viewer, "en")).total).toBe(2);
    expect(await getErrorName(resendKeys(buyer.viewer, { order_id: orderId }))).toBe("code_unrevealed");
    const [line] = await listLines(orderId);
    expect(line).toMatchObject({ refund_at_once: true, keep_in_library: true });
    const ids = { order_id: orderId, order_product_id: line!.order_product_id };
    expect((await requestRefund(buyer.viewer, ids, "en")).state).toBe("approved");
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
    expect(await sale.countKeysByState(plan)).toEqual({ available: 3 });
  });

  it("require the vendor's confirmation for a refund after one was revealed", async () => {
    const orderId = await sale.orderPlan(buyer, await createTestPlan());
    await choose(orderId, { keep_in_library: true });
    await payAndDeliver(orderId);
    const [line] = await listLines(orderId);
    await revealKey(buyer.viewer, { library_id: line!.keys[0]!.library_id });
    expect((await listLines(orderId))[0]!.refund_at_once).toBe(false);
    const ids = { order_id: orderId, order_product_id: line!.order_product_id };
    expect((await requestRefund(buyer.viewer, ids, "en")).state).toBe("asked");
  });
});

describe("the delivery options", () => {
  it("store the consent and its time on each line; repeating it keeps the time", async () => {
    const orderId = await sale.orderPlan(buyer, await createTestPlan());
    expect((await listLines(orderId))[0]!.immediate_consent_at).toBeNull();
    expect((await choose(orderId, { immediate_delivery: true })).immediate_delivery).toBe(true);
    const first = (await listLines(orderId))[0]!.immediate_consent_at;
    expect(Math.abs(Date.parse(first!) - Date.now())).toBeLessThan(60_000);
    await sale.setClockAhead("5 minutes");
    await choose(orderId, { immediate_delivery: true, keep_in_library: true });
    expect((await listLines(orderId))[0]).toMatchObject({
      immediate_consent_at: first,
      keep_in_library: true,
    });
    await choose(orderId, { immediate_delivery: false });
    expect((await listLines(orderId))[0]).toMatchObject({
      immediate_consent_at: null,
      keep_in_library: true,
    });
    await choose(orderId, { immediate_delivery: true });
    await payAndDeliver(orderId);
    expect((await listKeysMails())[0]!.text).toContain("accepted that the statutory right to withdraw ends");
  });

  it("cannot be changed after payment or expiry, or by other users", async () => {
    const paid = await sale.sell(buyer, await createTestPlan());
    expect(await getErrorName(choose(paid, { keep_in_library: true }))).toBe("delivery_frozen");
    const openOrder = await sale.orderPlan(buyer, await createTestPlan());
    const other = await sale.createBuyer();
    const otherUsersChoice = chooseDelivery(other.viewer, { order_id: openOrder, keep_in_library: true });
    expect(await getErrorName(otherUsersChoice)).toBe("order_unknown");
    expect((await listLines(openOrder))[0]!.keep_in_library).toBe(false);
    await sale.setClockAhead("40 minutes");

    await expireOrder(openOrder);
    expect(await getErrorName(choose(openOrder, { immediate_delivery: true }))).toBe(
      "delivery_order_cancelled",
    );
  });
});
