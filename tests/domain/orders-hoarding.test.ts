import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan, type PlanInput } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { cancelOrder } from "@/lib/orders/cancellation/commands";
import { placeOrder } from "@/lib/orders/placing/commands";
import { UNPAID_UNITS_MAX, UNVERIFIED_UNITS_MAX } from "@/lib/orders/rules";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

/** Limits on what one user can reserve. */
vi.setConfig({ testTimeout: 120_000 });
registerSaleHooks();

const createTestPlan = (input: PlanInput = {}) => createSinglePlan({ keys: 3, ...input });

describe("several accounts with one email identity", () => {
  it("share the purchase limit, except unverified accounts", async () => {
    const product = await createTestPlan({ keys: 9, purchaseLimit: 1 });
    const first = await sale.createBuyer({ email: `two.${Date.now()}@gmail.com` });
    await sale.sell(first, product.id);
    const second = await sale.createBuyer({ email: first.email.replace(".", "").replace("@", "+2@") });
    expect(await getErrorName(sale.orderPlan(second, product.id))).toBe("purchase_limit");
    const thirdAccount = { email: first.email.replace("@", "+3@"), verified: false };
    const unverified = await sale.createBuyer(thirdAccount);
    expect(await getErrorName(sale.orderPlan(unverified, product.id))).toBe(null);
  });

  it("can buy again after the order that held the limit is cancelled", async () => {
    const product = await createTestPlan({ keys: 9, purchaseLimit: 1 });
    const first = await sale.createBuyer();
    const id = await sale.orderPlan(first, product.id);
    const second = await sale.createBuyer({ email: first.email.replace("@", "+2@") });
    const outcomes = [await getErrorName(sale.orderPlan(second, product.id))];
    await cancelOrder(first.viewer, { order_id: id });
    outcomes.push(await getErrorName(sale.orderPlan(second, product.id)));
    expect(outcomes).toEqual(["purchase_limit", null]);
  });
});

describe("unpaid orders", () => {
  it("reserve a limited number of units; cancelled ones no longer count", async () => {
    const user = await sale.createBuyer();
    const { id } = await createTestPlan({ keys: 330 });
    const orders: string[] = [];
    for (let n = 0; n < UNPAID_UNITS_MAX / 10; n++) orders.push(await sale.orderPlan(user, id, 10));
    expect(await getErrorName(sale.orderPlan(user, id))).toBe("holds_full");
    await cancelOrder(user.viewer, { order_id: orders[0]! });
    expect(await getErrorName(sale.orderPlan(user, id, 10))).toBe(null);
    expect(await getErrorName(sale.orderPlan(await sale.createBuyer(), id))).toBe(null);
  });

  it("of an unverified email are limited to one line, also from two tabs, and send it no mail", async () => {
    const user = await sale.createBuyer({ verified: false });
    const product = await createTestPlan({ keys: 30 });
    await sale.orderPlan(user, product.id, UNVERIFIED_UNITS_MAX - 1);
    const lines = [
      await createCartLine(user.id, product.id),
      await createCartLine(user.id, (await createTestPlan()).id),
    ];
    const outcomesOfTabs = await Promise.all(
      lines.map((line) => getErrorName(placeOrder(user.viewer, { cart_record_ids: [line] }, "en"))),
    );
    expect(outcomesOfTabs.sort()).toEqual(["email_unverified", null]);
    const mails = await db.execute(sql`select event from mails where to_address = ${user.email}`);
    expect([...mails]).toEqual([]);
  });
});
