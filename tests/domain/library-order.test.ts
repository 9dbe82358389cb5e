import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { listLibrary } from "@/lib/delivery/library/list-library";
import type { OrderProduct } from "@/lib/orders/contract";
import { getOrder } from "@/lib/orders/find-order";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { listLatelyRefunded } from "@/lib/orders/list-orders";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import * as sale from "../setup/sale";

beforeAll(() => sale.receiveEventsInProcess());
afterEach(() => sale.setClockAhead("0"));
afterAll(sale.closeSale);

describe("the library", () => {
  it("lists the newest order first, its lines in order and the codes of a line together", async () => {
    const owner = await sale.createBuyer();
    const { plans } = await createProduct({
      plans: [{ keys: 9 }, { keys: 9, type: "month" }, { keys: 9, type: "day" }],
    });
    const [first, second, third] = plans.map((plan) => plan.id) as [number, number, number];
    const sellLines = async (planIds: number[]) => {
      for (const planId of planIds) await createCartLine(owner.id, planId, { quantity: 3 });
      const { order_id } = await placeOrder(owner.viewer, {}, "en");
      await sale.pay(owner, order_id);
      await sale.waitForEvents();
      await sale.runQueue();
      return order_id;
    };
    const olderOrder = await sellLines([third, first]);
    await sale.setClockAhead("1 minute");
    const newerOrder = await sellLines([second, first, third]);
    const keyRows = await db.execute<{ id: string; position: string }>(sql`
      select k.id, l.order_id || ' ' || l.plan_id || ' ' || k.slot as position
      from keys k join order_lines l on l.id = k.order_line_id where l.order_id in ${[olderOrder, newerOrder]}`);
    const positions = new Map(keyRows.map((slot) => [slot.id, slot.position]));
    const { items } = await listLibrary(owner.viewer, "en");
    const listUnits = (order: string, plan: number) => [1, 2, 3].map((slot) => `${order} ${plan} ${slot}`);
    expect(items.map((item) => positions.get(item.library_id))).toEqual([
      ...[second, first, third].flatMap((plan) => listUnits(newerOrder, plan)),
      ...[third, first].flatMap((plan) => listUnits(olderOrder, plan)),
    ]);
    await revealKey(owner.viewer, { library_id: items[7]!.library_id }); // a running pass sorts first
    expect((await listLibrary(owner.viewer, "en")).items[0]!.library_id).toBe(items[7]!.library_id);
  });

  it("still knows a refunded pass for a day", async () => {
    const owner = await sale.createBuyer();
    const { plans } = await createProduct({ plans: [{ keys: 2, type: "month" }] });
    await createCartLine(owner.id, plans[0]!.id);
    const { order_id } = await placeOrder(owner.viewer, {}, "en");
    await sale.pay(owner, order_id, "succeeded", { immediate_delivery: false });
    await sale.waitForEvents();
    await sale.runQueue();
    const listRefunded = async () =>
      (await listLatelyRefunded(owner.viewer, "en")).map(({ refunds }) =>
        refunds.map(({ order_product_id, amount }) => ({ order_product_id, amount })),
      );
    expect(await listRefunded()).toEqual([]);
    const { order_products } = await getOrder(owner.viewer, order_id, "en");
    const [{ order_product_id, total }] = order_products as [OrderProduct];
    await requestRefund(owner.viewer, { order_id, order_product_id }, "en");
    await sale.runQueue();
    expect((await listLibrary(owner.viewer, "en")).items).toEqual([]);
    expect(await listRefunded()).toEqual([[{ order_product_id, amount: total }]]);
    await sale.setClockAhead("25 hours");
    expect(await listRefunded()).toEqual([]);
  });
});
