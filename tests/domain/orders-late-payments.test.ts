import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { db, transaction } from "@/db/client";
import { createKeys, createSinglePlan, type PlanInput } from "@/db/factories/catalog";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { assignPaidOrder } from "@/lib/orders/fulfilment/assign-waiting-orders";
import { settlePayment } from "@/lib/orders/payment/settle-payment";
import * as sale from "@/tests/setup/sale";
import { registerSaleHooks } from "@/tests/setup/sale-hooks";

registerSaleHooks();
let buyer: sale.Buyer;
beforeAll(async () => {
  buyer = await sale.createBuyer();
});

const createTestPlan = (input: PlanInput = {}) => createSinglePlan({ keys: 3, ...input });
const countClaims = async (planId: number) => {
  const [row] = await db.execute(sql`
    select (select claimed from deals where plan_id = ${planId}) as deal,
      (select count(*)::int from purchase_claims where plan_id = ${planId}) as claims`);
  return row;
};

describe("a payment after the buyer cancelled", () => {
  it("is refunded even if everything is still available, and takes nothing", async () => {
    const { id: planId } = await createTestPlan();
    const id = await sale.orderPlan(buyer, planId);
    const { intentId } = await sale.openPayment(buyer, id);
    await cancelOrder(buyer.viewer, { order_id: id });
    await sale.payLate(intentId);
    expect(await sale.listOrderEvents(id)).toEqual(["created", "cancelled", "refunded"]);
    expect(await sale.countKeysByState(planId)).toEqual({ available: 3 });
    const [refund] = await db.execute(sql`select reason, amount_cents from refunds where order_id = ${id}`);
    expect(refund).toEqual({ reason: "cancelled", amount_cents: 1000 });
  });
});

describe("a payment after the hold was released", () => {
  const createCancelledOrder = async (planId: number) => {
    const id = await sale.orderPlan(buyer, planId);
    const { intentId } = await sale.openPayment(buyer, id);
    await sale.expireHold(id);
    return { id, intentId };
  };

  it("claims its deal unit and purchase claim again", async () => {
    const { id: planId } = await createTestPlan({ purchaseLimit: 1, deal: { quantity: 1 } });
    const { id, intentId } = await createCancelledOrder(planId);
    expect(await countClaims(planId)).toEqual({ deal: 0, claims: 0 });
    await sale.payLate(intentId);
    expect(await sale.getOrderStatus(id)).toBe("completed");
    expect(await countClaims(planId)).toEqual({ deal: 1, claims: 1 });
    await expect(sale.orderPlan(buyer, planId)).rejects.toThrow("purchase_limit");
  });

  it("is refunded when the buyer has reached the purchase limit", async () => {
    const { id: planId } = await createTestPlan({ purchaseLimit: 1 });
    const { id, intentId } = await createCancelledOrder(planId);
    await sale.sell(buyer, planId);
    await sale.payLate(intentId);
    expect(await sale.listOrderEvents(id)).toEqual(["created", "expired", "refunded"]);
    expect(await sale.countKeysByState(planId)).toEqual({ assigned: 1, available: 2 });
    expect(await countClaims(planId)).toMatchObject({ claims: 1 });
  });

  it("is refunded when another user has the last unit of the deal", async () => {
    const { id: planId } = await createTestPlan({ deal: { quantity: 1 } });
    const { id, intentId } = await createCancelledOrder(planId);
    await sale.sell(await sale.createBuyer(), planId);
    await sale.payLate(intentId);
    expect(await sale.listOrderEvents(id)).toEqual(["created", "expired", "refunded"]);
    expect(await countClaims(planId)).toMatchObject({ deal: 1 });
    expect(await sale.listOrderMails(id)).toEqual(["refund sent"]);
  });
});

describe("released keys", () => {
  /** A paid order that waits for a plan without available keys. */
  const createWaitingOrder = async (planId: number) => {
    const user = await sale.createBuyer();
    const id = await sale.orderPlan(user, planId);
    const { intentId } = await sale.pay(user, id);
    await db.execute(sql`
      with released as (select k.id from keys k join order_lines l on l.id = k.order_line_id where l.order_id = ${id})
      update keys set state = 'available', order_line_id = null, slot = null where id in (select id from released)`);
    await db.execute(
      sql`update keys set state = 'revoked' where plan_id = ${planId} and state = 'available'`,
    );
    await settlePayment(intentId);
    await assignPaidOrder(id);
    expect(await sale.getOrderStatus(id)).toBe("processing");
    return id;
  };

  it("of a cancelled order are assigned to waiting orders", async () => {
    const { id: planId } = await createTestPlan({ keys: 2 });
    const reservedOrder = await sale.orderPlan(buyer, planId);
    const first = await createWaitingOrder(planId);
    await cancelOrder(buyer.viewer, { order_id: reservedOrder });
    await sale.processEvents();
    expect(await sale.getOrderStatus(first)).toBe("completed");
  });

  it("are not sold while paid orders wait for all of them", async () => {
    const { id: planId } = await createTestPlan({ keys: 1 });
    const first = await createWaitingOrder(planId);
    await createKeys(planId, 1); // the worker has not assigned it yet
    await expect(sale.orderPlan(buyer, planId)).rejects.toThrow("sold_out");
    await createKeys(planId, 1);
    await sale.orderPlan(buyer, planId);
    await assignPaidOrder(first);
    await sale.processEvents();
    expect(await sale.getOrderStatus(first)).toBe("completed");
  });

  it("are not sold to an order that waited for their lock when a paid order has started waiting", async () => {
    const { id: planId } = await createTestPlan({ keys: 1 });
    const first = await createWaitingOrder(planId);
    const setLineState = (state: string) =>
      db.execute(sql`update order_lines set state = ${state} where order_id = ${first}`);
    await setLineState("reserved"); // an order that starts now sees no waiting line
    await createKeys(planId, 1);
    const order = await transaction(async (lockingTx) => {
      await lockingTx.execute(
        sql`select from keys where plan_id = ${planId} and state = 'available' for update`,
      );
      const placing = sale.orderPlan(buyer, planId).catch((error: Error) => error.message);
      await expect
        .poll(() =>
          db.execute(sql`select from pg_stat_activity where datname = current_database()
            and wait_event_type = 'Lock' and query like '%for update%'`),
        )
        .toHaveLength(1);
      await setLineState("waiting");
      return { placing: placing };
    });
    expect(await order.placing).toBe("sold_out");
  });
});
