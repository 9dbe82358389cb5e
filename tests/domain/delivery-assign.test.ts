import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { db, transaction } from "@/db/client";
import { createKeys, createSinglePlan, type PlanInput } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { refundMail } from "@/lib/orders/emails/refund-mails";
import { getOrder } from "@/lib/orders/find-order";
import { assignPaidOrder, assignWaitingOrders } from "@/lib/orders/fulfilment/assign-waiting-orders";
import { enqueueAssignWaiting } from "@/lib/orders/fulfilment/enqueue-assign";
import { sweepJob } from "@/lib/orders/jobs";
import { completeFreeOrder } from "@/lib/orders/payment/complete-free-order";
import { settlePayment } from "@/lib/orders/payment/settle-payment";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { giveGoodwill } from "@/lib/orders/refunds/give-goodwill";
import { refundOverdueLines } from "@/lib/orders/refunds/refund-overdue-lines";
import { lockOrder } from "@/lib/orders/status/lock-order";
import { auditSale } from "../setup/audit";
import { getErrorName } from "../setup/error-name";
import { clearQueue } from "../setup/queue";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

registerSaleHooks();
let buyer: sale.Buyer;
beforeAll(async () => {
  buyer = await sale.createBuyer();
});

const createTestPlan = (input: PlanInput = {}) => createSinglePlan({ keys: 3, ...input });
const createPreOrderPlan = (input: PlanInput = {}) =>
  createTestPlan({ availability: "pre_order", keys: 0, ...input });
const paid = async (planId: number, quantity = 1, user = buyer) => {
  const id = await sale.orderPlan(user, planId, quantity);
  const { intentId } = await sale.pay(user, id);
  await settlePayment(intentId);
  return id;
};
const listLines = (orderId: string) =>
  db.execute<{ state: string; assigned: number; deliver_by: Date | null }>(sql`
    select state, (select count(*)::int from keys k where k.order_line_id = l.id and k.state = 'assigned') as assigned, deliver_by
    from order_lines l where order_id = ${orderId} order by position`);
const getHoursUntil = async (time: Date | string | null) => {
  const [row] = await db.execute<{ h: number }>(
    sql`select round(extract(epoch from ${time}::timestamptz - shop_now()) / 3600)::int as h`,
  );
  return row!.h;
};

describe("key assignment", () => {
  it("is queued for several plans in id order, so that transactions cannot deadlock", async () => {
    await clearQueue();
    await transaction((tx) => enqueueAssignWaiting(tx, [30, 4, 200, 30, 7]));
    const jobs = await db.execute<{ key: string }>(sql`select key from graphile_worker.jobs order by id`);
    expect(jobs.map((job) => job.key)).toEqual(["waiting:4", "waiting:7", "waiting:30", "waiting:200"]);
    await clearQueue();
  });

  it("assigns exactly the reserved keys once, even when it runs several times", async () => {
    const product = await createTestPlan({ keys: 5 });
    const id = await sale.orderPlan(buyer, product.id, 2);
    const reserved = await db.execute(
      sql`select id from keys where state = 'reserved' and plan_id = ${product.id} order by id`,
    );
    const { intentId } = await sale.pay(buyer, id);
    await settlePayment(intentId);
    await Promise.all(Array.from({ length: 8 }, () => assignPaidOrder(id)));
    const assigned = await db.execute(
      sql`select id from keys where state = 'assigned' and plan_id = ${product.id} order by id`,
    );
    expect([...assigned]).toEqual([...reserved]);
    await sale.processEvents();
    expect(await sale.listOrderMails(id)).toEqual(["keys sent"]);
    expect(await sale.countKeysByState(product.id)).toEqual({ assigned: 2, available: 3 });
  });

  it("of a pre-order waits until 72 h after the release and sends a delay mail", async () => {
    const product = await createPreOrderPlan();
    const id = await paid(product.id, 2);
    await sale.processEvents();
    expect(await sale.getOrderStatus(id)).toBe("processing");
    const [line] = await listLines(id);
    expect(line).toMatchObject({ state: "waiting", assigned: 0 });
    expect(await getHoursUntil(line!.deliver_by)).toBe(30 * 24 + 72);
    expect(await sale.listOrderMails(id)).toEqual(["delay sent"]);
  });

  it("of several lines delivers lines in stock and waits for the others", async () => {
    const [inStock, preOrdered] = [await createTestPlan(), await createPreOrderPlan()];
    for (const { id } of [inStock, preOrdered]) await createCartLine(buyer.id, id);
    const { order_id: id } = await placeOrder(buyer.viewer, {}, "en");
    await sale.pay(buyer, id);
    await sale.processEvents();
    expect(await sale.getOrderStatus(id)).toBe("processing");
    expect((await listLines(id)).map((line) => [line.state, line.assigned]).sort()).toEqual([
      ["assigned", 1],
      ["waiting", 0],
    ]);
    expect((await sale.listOrderMails(id)).sort()).toEqual(["delay sent", "keys sent"]);
    await createKeys(preOrdered.id, 1);
    await assignWaitingOrders(preOrdered.id);
    await sale.processEvents();
    expect(await sale.getOrderStatus(id)).toBe("completed");
    expect((await sale.listOrderMails(id)).filter((mail) => mail === "keys sent")).toHaveLength(2);
    expect(await auditSale({ whenIdle: true })).toEqual([]);
  });

  it("completes the order when its last mail is sent", async () => {
    const [inStock, preOrdered] = [await createTestPlan(), await createPreOrderPlan()];
    for (const { id } of [inStock, preOrdered]) await createCartLine(buyer.id, id);
    const { order_id: id } = await placeOrder(buyer.viewer, {}, "en");
    const { intentId } = await sale.pay(buyer, id);
    await settlePayment(intentId);
    await assignPaidOrder(id);
    await createKeys(preOrdered.id, 1);
    await assignWaitingOrders(preOrdered.id);
    expect(await sale.getOrderStatus(id)).toBe("shipped"); // neither mail is sent yet
    const delayLastKeysMail = (delay: string) =>
      db.execute(sql`select graphile_worker.reschedule_jobs(array[j.id], run_at => now() + ${delay}::interval)
        from graphile_worker.jobs j where j.key = (select m.id from mails m where event = 'keys'
          and refs->>'orderId' = ${id} order by created_at desc limit 1)`);
    await delayLastKeysMail("1 hour");
    await sale.processEvents();
    expect(await sale.getOrderStatus(id)).toBe("shipped");
    await delayLastKeysMail("0");
    await sale.processEvents();
    expect(await sale.getOrderStatus(id)).toBe("completed");
  });

  it("of new stock serves orders by payment time, fully or in part, each once", async () => {
    const product = await createPreOrderPlan();
    const orders: string[] = [];
    for (const [time, quantity] of [2, 1, 3].entries()) {
      await sale.setClockAhead(`${time} minutes`);
      orders.push(await paid(product.id, quantity, await sale.createBuyer()));
      await assignPaidOrder(orders.at(-1)!);
    }
    const countAssigned = async () =>
      (await Promise.all(orders.map(listLines))).map(([line]) => line!.assigned);
    for (const [keys, expected] of [
      [1, [1, 0, 0]],
      [3, [2, 1, 1]],
      [9, [2, 1, 3]],
    ] as const) {
      await createKeys(product.id, keys);
      await Promise.all([assignWaitingOrders(product.id), assignWaitingOrders(product.id)]);
      expect(await countAssigned()).toEqual(expected);
    }
    await sale.processEvents();
    expect(await Promise.all(orders.map(sale.getOrderStatus))).toEqual([
      "completed",
      "completed",
      "completed",
    ]);
    expect(await sale.countKeysByState(product.id)).toEqual({ assigned: 6, available: 7 });
    expect(await auditSale({ whenIdle: true })).toEqual([]);
  });

  it("does not serve a later payment before waiting orders", async () => {
    const product = await createPreOrderPlan();
    const first = await paid(product.id, 1, await sale.createBuyer());
    await assignPaidOrder(first);
    await createKeys(product.id, 1); // the worker has not assigned it yet
    await sale.setClockAhead("1 minute");
    const second = await paid(product.id, 1, await sale.createBuyer());
    await assignPaidOrder(second);
    await sale.processEvents();
    expect([await sale.getOrderStatus(first), await sale.getOrderStatus(second)]).toEqual([
      "completed",
      "processing",
    ]);
  });

  it("is repeated by the sweeper when its job was lost", async () => {
    const product = await createTestPlan();
    const id = await paid(product.id);
    await clearQueue();
    await sale.setClockAhead("3 minutes");
    await sweepJob.run(undefined);
    await sale.processEvents();
    expect(await sale.getOrderStatus(id)).toBe("completed");
  });
});

describe("an expired delivery deadline", () => {
  it("refunds undelivered units to the cent and keeps delivered ones", async () => {
    const product = await createPreOrderPlan({ priceCents: 333 });
    const id = await paid(product.id, 3);
    await assignPaidOrder(id);
    await createKeys(product.id, 1);
    await assignWaitingOrders(product.id);
    await sale.processEvents();
    const order = await getOrder(buyer.viewer, id, "en");
    expect(order.order_products[0]).toMatchObject({ state: "waiting", deliver_by: expect.any(String) });
    await sale.setClockAhead(`${30 * 24 + 71} hours`);
    await refundOverdueLines(id); // one hour too early
    expect(await sale.getOrderStatus(id)).toBe("processing");
    await sale.setClockAhead(`${30 * 24 + 73} hours`);
    await Promise.all([refundOverdueLines(id), refundOverdueLines(id), sweepJob.run(undefined)]);
    await sale.processEvents();
    const refunds = await db.execute(
      sql`select amount_cents, state, reason from refunds where order_id = ${id}`,
    );
    expect([...refunds]).toEqual([{ amount_cents: 666, state: "succeeded", reason: "not_delivered" }]);
    await sweepJob.run(undefined);
    expect(await sale.getOrderStatus(id)).toBe("completed");
    expect((await sale.listOrderMails(id)).filter((mail) => mail.startsWith("refund"))).toEqual([
      "refund sent",
    ]);
    const [line] = (await getOrder(buyer.viewer, id, "en")).order_products;
    expect(line).toMatchObject({ quantity: 3, total: 9.99, refunded_quantity: 2, refunded_amount: 6.66 });
    const [refund] = await db.execute<{ id: string }>(sql`select id from refunds where order_id = ${id}`);
    const mail = await refundMail(refund!.id, "en");
    expect(mail!.lines).toMatchObject([{ quantity: 2, totalCents: 666 }]);
    await createKeys(product.id, 5);
    await assignWaitingOrders(product.id);
    expect(await sale.countKeysByState(product.id)).toEqual({ assigned: 1, available: 5 });
  });

  it("leaves the delivered units refundable", async () => {
    const product = await createPreOrderPlan({ type: "month", priceCents: 1000 });
    const id = await paid(product.id, 3);
    await assignPaidOrder(id);
    await createKeys(product.id, 1);
    await assignWaitingOrders(product.id);
    await db.execute(
      sql`update order_lines set deliver_by = shop_now() - interval '1 minute' where order_id = ${id}`,
    );
    await refundOverdueLines(id);
    await sale.processEvents();
    const [line] = (await getOrder(buyer.viewer, id, "en")).order_products;
    expect(line).toMatchObject({ refunded_amount: 20, refund: { refundable: true, amount: 10 } });
  });

  it("returns what a gesture has left of the line, not what it cost", async () => {
    const give = (orderId: string, lineId: string, amountCents: number) =>
      transaction(async (tx) =>
        giveGoodwill(
          tx,
          await lockOrder(tx, orderId),
          { lineId, amountCents, refundedCents: 0, reason: "Sorry for the wait." },
          { actor: buyer.id, locale: "en" },
        ),
      );
    const missDeadline = (orderId: string) =>
      db.execute(
        sql`update order_lines set deliver_by = shop_now() - interval '1 minute' where order_id = ${orderId} and state = 'waiting'`,
      );
    const listRefunds = async (orderId: string) =>
      (
        await db.execute<{ cents: number }>(
          sql`select amount_cents as cents from refunds where order_id = ${orderId} order by created_at, reason`,
        )
      ).map(({ cents }) => cents);
    const product = await createPreOrderPlan({ priceCents: 2500 });
    const partly = await paid(product.id, 4);
    await assignPaidOrder(partly);
    await createKeys(product.id, 3);
    await assignWaitingOrders(product.id);
    const lineOf = async (orderId: string) =>
      (await getOrder(buyer.viewer, orderId, "en")).order_products[0]!.order_product_id;
    await give(partly, await lineOf(partly), 3000);
    await missDeadline(partly);
    await refundOverdueLines(partly);
    expect(await listRefunds(partly)).toEqual([3000, 1750]);
    expect((await getOrder(buyer.viewer, partly, "en")).order_products[0]).toMatchObject({
      refunded_amount: 47.5,
    });

    const [waiting, other] = [
      await createPreOrderPlan({ priceCents: 5000 }),
      await createTestPlan({ priceCents: 5000 }),
    ];
    for (const { id } of [waiting, other]) await createCartLine(buyer.id, id);
    const { order_id: mixed } = await placeOrder(buyer.viewer, {}, "en");
    await sale.pay(buyer, mixed);
    await sale.processEvents();
    await assignPaidOrder(mixed);
    const [open] = await db.execute<{ id: string }>(
      sql`select id from order_lines where order_id = ${mixed} and state = 'waiting'`,
    );
    await give(mixed, open!.id, 2500);
    await missDeadline(mixed);
    await refundOverdueLines(mixed);
    await sale.processEvents();
    expect(await listRefunds(mixed)).toEqual([2500, 2500]);
  });

  it("refunds the whole order when nothing was delivered, and a free line without a payment", async () => {
    const [priced, free] = [await createPreOrderPlan(), await createPreOrderPlan({ priceCents: 0 })];
    for (const { id } of [priced, free]) await createCartLine(buyer.id, id);
    const { order_id: id } = await placeOrder(buyer.viewer, {}, "en");
    await sale.pay(buyer, id);
    await sale.processEvents();
    await sale.setClockAhead(`${30 * 24 + 73} hours`);
    await sweepJob.run(undefined);
    await sale.processEvents();
    expect(await sale.listOrderEvents(id)).toEqual([
      "created",
      "payment_verified",
      "stock_short",
      "refunded",
    ]);
    const refunds = await db.execute(sql`select amount_cents, state from refunds where order_id = ${id}`);
    expect([...refunds]).toEqual([{ amount_cents: 1000, state: "succeeded" }]);
  });

  it("concurrent with new stock delivers or refunds each order, never both (12 rounds)", async () => {
    let assignedRounds = 0;
    for (let round = 0; round < 12; round++) {
      const product = await createPreOrderPlan();
      const id = await paid(product.id);
      await assignPaidOrder(id);
      await createKeys(product.id, 1);
      await sale.setClockAhead(`${30 * 24 + 73} hours`);
      const delayed = new Promise((resolve) => setTimeout(resolve, round));
      const competitors = [
        () => delayed.then(() => refundOverdueLines(id)),
        () => assignWaitingOrders(product.id),
      ];
      await Promise.all((round % 2 ? competitors : competitors.reverse()).map((work) => work()));
      await sale.setClockAhead("0");
      const refunds = await db.execute(sql`select 1 from refunds where order_id = ${id}`);
      const [line] = await listLines(id);
      expect(line!.assigned + refunds.length).toBe(1);
      assignedRounds += line!.assigned;
    }
    await sale.runQueue({ mails: false });
    console.log(
      `refund against assignment: n=12, ${assignedRounds} delivered, ${12 - assignedRounds} refunded, 0 both, 0 neither`,
    );
  });
});

describe("an order that costs nothing", () => {
  const complete = (orderId: string, final_amount?: number, user = buyer) =>
    completeFreeOrder(user.viewer, { order_id: orderId, final_amount });

  it("is paid, delivered and completed in one call, with the same response when repeated", async () => {
    const product = await createTestPlan({ priceCents: 0 });
    const id = await sale.orderPlan(buyer, product.id);
    const results = await Promise.all([complete(id, 0), complete(id), complete(id)]);
    expect(results).toEqual(Array(3).fill({ order_id: id, status: "completed" }));
    await sale.processEvents();
    expect(await sale.listOrderEvents(id)).toEqual(["created", "free_completed", "assigned", "delivered"]);
    expect(await sale.listOrderMails(id)).toEqual(["keys sent"]);
    expect(await sale.countKeysByState(product.id)).toEqual({ assigned: 1, available: 2 });
    expect(await db.execute(sql`select 1 from ledger_entries where order_id = ${id}`)).toHaveLength(0);
    expect(await getErrorName(sale.orderPlan(buyer, product.id))).toBe("purchase_limit"); // one for each user
  });

  it("is rejected for a price above zero, another amount, an expired or cancelled order, and other users", async () => {
    const priced = await sale.orderPlan(buyer, (await createTestPlan()).id);
    expect(await getErrorName(complete(priced))).toBe("free_payment_not_zero");
    expect(await getErrorName(complete(priced, 0))).toBe("free_payment_not_zero");
    const other = await sale.createBuyer();
    const product = await createTestPlan({ priceCents: 0 });
    const id = await sale.orderPlan(other, product.id);
    expect(await getErrorName(complete(id))).toBe("order_unknown");
    expect(await getErrorName(complete(id, 0.01, other))).toBe("amount_differs");
    await sale.setClockAhead("31 minutes");
    expect(await getErrorName(complete(id, 0, other))).toBe("order_not_payable");
    await sweepJob.run(undefined);
    expect(await getErrorName(complete(id, 0, other))).toBe("order_not_payable");
    expect(await sale.countKeysByState(product.id)).toEqual({ available: 3 });
  });
});
