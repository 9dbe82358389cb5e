import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createProduct, type PlanInput } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { cancelOrder } from "@/lib/orders/cancellation/commands";
import { placeOrder } from "@/lib/orders/placing/commands";
import { UNPAID_UNITS_MAX, UNVERIFIED_UNITS_MAX } from "@/lib/orders/rules";
import { auditSale } from "../faults/audit";
import { refusal } from "../setup/refusal";
import * as sale from "../setup/sale";

/** What one person may keep from others. */
vi.setConfig({ testTimeout: 120_000 });
beforeAll(() => {
  sale.receiveEventsHere();
});
afterEach(async () => expect(await auditSale()).toEqual([]));
afterAll(sale.endSale);

const plan = async (given: PlanInput = {}) =>
  (await createProduct({ plans: [{ keys: 3, ...given }] })).plans[0]!;

describe("a person with two accounts", () => {
  it("has a limited plan once; who has proved nothing speaks for nobody", async () => {
    const product = await plan({ keys: 9, purchaseLimit: 1 });
    const first = await sale.newBuyer({ email: `two.${Date.now()}@gmail.com` });
    await sale.sell(first, product.id);
    const second = await sale.newBuyer({ email: first.email.replace(".", "").replace("@", "+2@") });
    expect(await refusal(sale.orderOf(second, product.id))).toBe("purchase_limit");
    const third = { email: first.email.replace("@", "+3@"), verified: false };
    const unproved = await sale.newBuyer(third);
    expect(await refusal(sale.orderOf(unproved, product.id))).toBe(null);
  });

  it("gives back what an order that is let go held for both", async () => {
    const product = await plan({ keys: 9, purchaseLimit: 1 });
    const first = await sale.newBuyer();
    const id = await sale.orderOf(first, product.id);
    const second = await sale.newBuyer({ email: first.email.replace("@", "+2@") });
    const answers = [await refusal(sale.orderOf(second, product.id))];
    await cancelOrder(first.viewer, { order_id: id });
    answers.push(await refusal(sale.orderOf(second, product.id)));
    expect(answers).toEqual(["purchase_limit", null]);
  });
});

describe("unpaid orders", () => {
  it("keep a full cart at most from others, and what was let go counts no more", async () => {
    const who = await sale.newBuyer();
    const { id } = await plan({ keys: 330 });
    const orders: string[] = [];
    for (let n = 0; n < UNPAID_UNITS_MAX / 10; n++) orders.push(await sale.orderOf(who, id, 10));
    expect(await refusal(sale.orderOf(who, id))).toBe("holds_full");
    await cancelOrder(who.viewer, { order_id: orders[0]! });
    expect(await refusal(sale.orderOf(who, id, 10))).toBe(null);
    expect(await refusal(sale.orderOf(await sale.newBuyer(), id))).toBe(null);
  });

  it("of an address that nobody has proved keep one line, also for two tabs, and mail nothing to it", async () => {
    const who = await sale.newBuyer({ verified: false });
    const product = await plan({ keys: 30 });
    await sale.orderOf(who, product.id, UNVERIFIED_UNITS_MAX - 1);
    const lines = [await createCartLine(who.id, product.id), await createCartLine(who.id, (await plan()).id)];
    const tabs = await Promise.all(
      lines.map((line) => refusal(placeOrder(who.viewer, { cart_record_ids: [line] }, "en"))),
    );
    expect(tabs.sort()).toEqual(["email_unverified", null]);
    const mails = await db.execute(sql`select event from mails where to_address = ${who.email}`);
    expect([...mails]).toEqual([]);
  });
});
