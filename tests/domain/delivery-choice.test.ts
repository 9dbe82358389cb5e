import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createProduct, type PlanInput } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { revealKey } from "@/lib/delivery/commands";
import { listLibrary } from "@/lib/delivery/library/queries";
import { findMailboxMails } from "@/lib/notifications/queries";
import { expireOrder } from "@/lib/orders/cancellation/commands";
import { chooseDelivery } from "@/lib/orders/delivery-options/commands";
import { resendKeys } from "@/lib/orders/fulfilment/commands";
import { placeOrder } from "@/lib/orders/placing/commands";
import { getOrder } from "@/lib/orders/queries";
import { requestRefund } from "@/lib/orders/refunds/commands-requests";
import { auditSale } from "../faults/audit";
import { refusal } from "../setup/refusal";
import * as sale from "../setup/sale";

vi.setConfig({ testTimeout: 120_000 });
let buyer: sale.Buyer;
beforeAll(() => sale.receiveEventsHere());
beforeEach(async () => {
  buyer = await sale.newBuyer();
});
afterEach(async () => {
  await sale.setClockAhead("0");
  await sale.runQueue();
  expect(await auditSale()).toEqual([]);
});
afterAll(sale.endSale);

const planOf = async (given: PlanInput = {}) =>
  (await createProduct({ plans: [{ type: "month", keys: 3, ...given }] })).plans[0]!.id;
const linesOf = async (orderId: string) => (await getOrder(buyer.viewer, orderId, "en")).order_products;
const choose = (order_id: string, choice: { keep_in_library?: boolean; immediate_delivery?: boolean }) =>
  chooseDelivery(buyer.viewer, { order_id, ...choice });
const payFor = async (orderId: string) => {
  await sale.pay(buyer, orderId);
  await sale.eventsArrived();
  await sale.runQueue();
};
const keysMails = async () =>
  ((await findMailboxMails(buyer.email)) ?? []).filter((mail) => mail.event === "keys");

describe("codes that are kept in the library", () => {
  it("are never mailed, the mail says that they wait, and the order is delivered", async () => {
    const [plan, day] = [await planOf(), await planOf({ type: "day" })];
    const cart = [await createCartLine(buyer.id, plan), await createCartLine(buyer.id, day)];
    const { order_id } = await placeOrder(buyer.viewer, { cart_record_ids: cart }, "en");
    const kept = (await linesOf(order_id)).find((line) => line.vip_id === plan)!;
    expect(await choose(order_id, { keep_in_library: true })).toEqual({
      order_id,
      keep_in_library: true,
      immediate_delivery: false,
      kept_order_product_ids: [kept.order_product_id], // a day pass cannot be refunded: it is mailed
    });
    await payFor(order_id);
    expect(await sale.statusOf(order_id)).toBe("completed");
    const [mail, ...more] = await keysMails();
    expect(more).toEqual([]);
    const lines = await linesOf(order_id);
    const codes = await Promise.all(
      lines.map(async (line) => ({
        plan: line.vip_id,
        ...(await revealKey(buyer.viewer, { library_id: line.keys[0]!.library_id })),
      })),
    );
    for (const { plan: of, code } of codes) expect(mail!.text.includes(code)).toBe(of === day);
    expect(mail!.text).toContain("One code is kept in your library.");
    const [row] = await db.execute<{ n: number }>(sql`
      select count(*)::int as n from keys where order_line_id = ${kept.order_product_id} and mailed_at is not null`);
    expect(row!.n).toBe(0);
  });

  it("alone make a mail without codes, and a refund at once", async () => {
    const plan = await planOf();
    const orderId = await sale.orderOf(buyer, plan, 2);
    await choose(orderId, { keep_in_library: true });
    await payFor(orderId);
    expect(await sale.statusOf(orderId)).toBe("completed");
    expect((await keysMails())[0]!.text).toContain("2 codes are kept in your library.");
    expect((await listLibrary(buyer.viewer, "en")).total).toBe(2);
    expect(await refusal(resendKeys(buyer.viewer, { order_id: orderId }))).toBe("key_unknown");
    const [line] = await linesOf(orderId);
    expect(line).toMatchObject({ refund_at_once: true, keep_in_library: true });
    const ids = { order_id: orderId, order_product_id: line!.order_product_id };
    expect((await requestRefund(buyer.viewer, ids, "en")).state).toBe("approved");
    await sale.runQueue();
    expect(await sale.statusOf(orderId)).toBe("refunded");
    expect(await sale.keysOf(plan)).toEqual({ available: 1, quarantined: 2 });
  });

  it("ask their maker once one was revealed", async () => {
    const orderId = await sale.orderOf(buyer, await planOf());
    await choose(orderId, { keep_in_library: true });
    await payFor(orderId);
    const [line] = await linesOf(orderId);
    await revealKey(buyer.viewer, { library_id: line!.keys[0]!.library_id });
    expect((await linesOf(orderId))[0]!.refund_at_once).toBe(false);
    const ids = { order_id: orderId, order_product_id: line!.order_product_id };
    expect((await requestRefund(buyer.viewer, ids, "en")).state).toBe("asked");
  });
});

describe("the choice", () => {
  it("keeps the consent on each line with its time, which saying it again does not move", async () => {
    const orderId = await sale.orderOf(buyer, await planOf());
    expect((await linesOf(orderId))[0]!.immediate_consent_at).toBeNull();
    expect((await choose(orderId, { immediate_delivery: true })).immediate_delivery).toBe(true);
    const first = (await linesOf(orderId))[0]!.immediate_consent_at;
    expect(Math.abs(Date.parse(first!) - Date.now())).toBeLessThan(60_000);
    await sale.setClockAhead("5 minutes");
    await choose(orderId, { immediate_delivery: true, keep_in_library: true });
    expect((await linesOf(orderId))[0]).toMatchObject({ immediate_consent_at: first, keep_in_library: true });
    await choose(orderId, { immediate_delivery: false });
    expect((await linesOf(orderId))[0]).toMatchObject({ immediate_consent_at: null, keep_in_library: true });
    await choose(orderId, { immediate_delivery: true });
    await payFor(orderId);
    expect((await keysMails())[0]!.text).toContain("agreed that the statutory right to withdraw ends");
  });

  it("is frozen once the order is paid, or over, and nobody else's", async () => {
    const paid = await sale.sell(buyer, await planOf());
    expect(await refusal(choose(paid, { keep_in_library: true }))).toBe("delivery_frozen");
    const open = await sale.orderOf(buyer, await planOf());
    const other = await sale.newBuyer();
    const theirs = chooseDelivery(other.viewer, { order_id: open, keep_in_library: true });
    expect(await refusal(theirs)).toBe("order_unknown");
    expect((await linesOf(open))[0]!.keep_in_library).toBe(false);
    await sale.setClockAhead("40 minutes");

    await expireOrder(open);
    expect(await refusal(choose(open, { immediate_delivery: true }))).toBe("delivery_frozen");
  });
});
