import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { revealKey } from "@/lib/delivery/commands";
import { listLibrary } from "@/lib/delivery/library/queries";
import { placeOrder } from "@/lib/orders/placing/commands";
import * as sale from "../setup/sale";

vi.setConfig({ testTimeout: 60_000 });
beforeAll(() => sale.receiveEventsHere());
afterEach(() => sale.setClockAhead("0"));
afterAll(sale.endSale);

describe("the library", () => {
  it("keeps the codes of a line together, as the order has its lines, the newest order first", async () => {
    const owner = await sale.newBuyer();
    const { plans } = await createProduct({
      plans: [{ keys: 9 }, { keys: 9, type: "month" }, { keys: 9, type: "day" }],
    });
    const [one, two, three] = plans.map((plan) => plan.id) as [number, number, number];
    const lineUp = async (wanted: number[]) => {
      for (const planId of wanted) await createCartLine(owner.id, planId, { quantity: 3 });
      const { order_id } = await placeOrder(owner.viewer, {}, "en");
      await sale.pay(owner, order_id);
      await sale.eventsArrived();
      await sale.runQueue();
      return order_id;
    };
    const older = await lineUp([three, one]);
    await sale.setClockAhead("1 minute");
    const newer = await lineUp([two, one, three]);
    const slots = await db.execute<{ id: string; at: string }>(sql`
      select k.id, l.order_id || ' ' || l.plan_id || ' ' || k.slot as at
      from keys k join order_lines l on l.id = k.order_line_id where l.order_id in ${[older, newer]}`);
    const at = new Map(slots.map((slot) => [slot.id, slot.at]));
    const { items } = await listLibrary(owner.viewer, "en");
    const unitsOf = (order: string, plan: number) => [1, 2, 3].map((slot) => `${order} ${plan} ${slot}`);
    expect(items.map((item) => at.get(item.library_id))).toEqual([
      ...[two, one, three].flatMap((plan) => unitsOf(newer, plan)),
      ...[three, one].flatMap((plan) => unitsOf(older, plan)),
    ]);
    await revealKey(owner.viewer, { library_id: items[7]!.library_id }); // its clock runs: now that says more
    expect((await listLibrary(owner.viewer, "en")).items[0]!.library_id).toBe(items[7]!.library_id);
  });
});
