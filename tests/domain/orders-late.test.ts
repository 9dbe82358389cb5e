import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { db, transaction } from "@/db/client";
import { createKeys, createProduct, type PlanInput } from "@/db/factories/catalog";
import { cancelOrder } from "@/lib/orders/cancellation/commands";
import { assignPaidOrder } from "@/lib/orders/fulfilment/commands";
import { settlePayment } from "@/lib/orders/payment/commands";
import { auditSale } from "../faults/audit";
import * as sale from "../setup/sale";

vi.setConfig({ testTimeout: 120_000 });
let buyer: sale.Buyer;
beforeAll(async () => {
  sale.receiveEventsHere();
  buyer = await sale.newBuyer();
});
afterEach(async () => {
  await sale.setClockAhead("0");
  expect(await auditSale()).toEqual([]);
});
afterAll(sale.endSale);

const plan = async (given: PlanInput = {}) =>
  (await createProduct({ plans: [{ keys: 3, ...given }] })).plans[0]!;
const claimed = async (planId: number) => {
  const [row] = await db.execute(sql`
    select (select claimed from deals where plan_id = ${planId}) as deal,
      (select count(*)::int from purchase_claims where plan_id = ${planId}) as claims`);
  return row;
};

describe("a payment that comes after the cancellation", () => {
  const cancelled = async (planId: number) => {
    const id = await sale.orderOf(buyer, planId);
    const { intentId } = await sale.openPayment(buyer, id);
    await cancelOrder(buyer.viewer, { order_id: id });
    return { id, intentId };
  };

  it("takes its deal unit and its purchase claim back", async () => {
    const { id: planId } = await plan({ purchaseLimit: 1, deal: { quantity: 1 } });
    const { id, intentId } = await cancelled(planId);
    expect(await claimed(planId)).toEqual({ deal: 0, claims: 0 });
    await sale.payLate(intentId);
    expect(await sale.statusOf(id)).toBe("completed");
    expect(await claimed(planId)).toEqual({ deal: 1, claims: 1 });
    await expect(sale.orderOf(buyer, planId)).rejects.toThrow("purchase_limit");
  });

  it("is given back when the buyer has the one pass that is allowed", async () => {
    const { id: planId } = await plan({ purchaseLimit: 1 });
    const { id, intentId } = await cancelled(planId);
    await sale.sell(buyer, planId);
    await sale.payLate(intentId);
    expect(await sale.historyOf(id)).toEqual(["created", "cancelled", "refunded"]);
    expect(await sale.keysOf(planId)).toEqual({ assigned: 1, available: 2 });
    expect(await claimed(planId)).toMatchObject({ claims: 1 });
  });

  it("is given back when somebody else has the last unit of the deal", async () => {
    const { id: planId } = await plan({ deal: { quantity: 1 } });
    const { id, intentId } = await cancelled(planId);
    await sale.sell(await sale.newBuyer(), planId);
    await sale.payLate(intentId);
    expect(await sale.historyOf(id)).toEqual(["created", "cancelled", "refunded"]);
    expect(await claimed(planId)).toMatchObject({ deal: 1 });
    expect(await sale.mailsOf(id)).toEqual(["order-placed dropped", "refund sent"]);
  });
});

describe("keys that come back", () => {
  /** Somebody who has paid and waits for a plan of which nothing is free. */
  const waiting = async (planId: number) => {
    const who = await sale.newBuyer();
    const id = await sale.orderOf(who, planId);
    const { intentId } = await sale.pay(who, id);
    await db.execute(sql`
      with gone as (select k.id from keys k join order_lines l on l.id = k.order_line_id where l.order_id = ${id})
      update keys set state = 'available', order_line_id = null, slot = null where id in (select id from gone)`);
    await db.execute(
      sql`update keys set state = 'revoked' where plan_id = ${planId} and state = 'available'`,
    );
    await settlePayment(intentId);
    await assignPaidOrder(id);
    expect(await sale.statusOf(id)).toBe("processing");
    return id;
  };

  it("from a cancelled order go to those who paid and wait", async () => {
    const { id: planId } = await plan({ keys: 2 });
    const held = await sale.orderOf(buyer, planId);
    const first = await waiting(planId);
    await cancelOrder(buyer.viewer, { order_id: held });
    await sale.settled();
    expect(await sale.statusOf(first)).toBe("completed");
  });

  it("are not sold to a new order while those who paid wait for all of them", async () => {
    const { id: planId } = await plan({ keys: 1 });
    const first = await waiting(planId);
    await createKeys(planId, 1); // the worker has not handed it over yet
    await expect(sale.orderOf(buyer, planId)).rejects.toThrow("sold_out");
    await createKeys(planId, 1);
    await sale.orderOf(buyer, planId);
    await assignPaidOrder(first);
    await sale.settled();
    expect(await sale.statusOf(first)).toBe("completed");
  });

  it("are not sold to an order that stood in line for them while somebody came to wait", async () => {
    const { id: planId } = await plan({ keys: 1 });
    const first = await waiting(planId);
    const waits = (state: string) =>
      db.execute(sql`update order_lines set state = ${state} where order_id = ${first}`);
    await waits("reserved"); // not yet, as far as an order sees that begins now
    await createKeys(planId, 1);
    const order = await transaction(async (rival) => {
      await rival.execute(sql`select from keys where plan_id = ${planId} and state = 'available' for update`);
      const asked = sale.orderOf(buyer, planId).catch((error: Error) => error.message);
      await expect
        .poll(() =>
          db.execute(sql`select from pg_stat_activity where datname = current_database()
            and wait_event_type = 'Lock' and query like '%for update%'`),
        )
        .toHaveLength(1);
      await waits("waiting");
      return { asked };
    });
    expect(await order.asked).toBe("sold_out");
  });
});
