import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { deleteExpiredDataJob } from "@/lib/accounts/jobs";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { sweepJob } from "@/lib/orders/jobs";
import { settleAndAssign, settlePayment } from "@/lib/orders/payment/settle-payment";
import { createPaymentIntent } from "@/lib/payments/create-payment-intent";
import { auditSale } from "../setup/audit";
import { clearQueue } from "../setup/queue";
import * as sale from "../setup/sale";
import {
  clearSandboxFaults,
  dropSandboxEvents,
  failSandbox,
  type SandboxFault,
} from "../setup/stripe-faults";

let buyer: sale.Buyer;
let planId: number;
beforeAll(async () => {
  sale.receiveEventsInProcess();
  buyer = await sale.createBuyer();
  planId = (await createSinglePlan({ keys: 60 })).id;
});
afterAll(sale.closeSale);

describe("a failing provider", () => {
  const FAULTS: SandboxFault["as"][] = ["500", "502", "timeout", "reset", "junk", "not_json", "not_object"];
  const withFault = async <T>(
    operation: Parameters<typeof failSandbox>[0],
    fault: SandboxFault,
    action: () => Promise<T>,
  ) => {
    failSandbox(operation, fault, 3);
    try {
      return await action();
    } finally {
      clearSandboxFaults();
      sale.receiveEventsInProcess();
    }
  };

  it.each(FAULTS)(
    "leaves one intent, payable at the next attempt, when opening a payment fails with %s after creation",
    async (as) => {
      const id = await sale.orderPlan(buyer, planId);
      const openTestPayment = () => createPaymentIntent(buyer.viewer, { order_id: id });
      const first = withFault("create_intent", { when: "after", as }, openTestPayment);
      await expect(first).rejects.toThrow("provider_unavailable");
      expect(await sale.getOrderStatus(id)).toBe("pending");
      await sale.pay(buyer, id);
      const intents = await db.execute(
        sql`select 1 from sandbox_intents where metadata->>'order_id' = ${id}`,
      );
      expect(intents).toHaveLength(1);
    },
  );

  it.each(FAULTS)("changes nothing when settling fails with %s, and the next attempt settles", async (as) => {
    const id = await sale.orderPlan(buyer, planId);
    const { intentId } = await sale.pay(buyer, id);
    await sale.waitForEvents();
    const before = await sale.getOrderRecord(id);
    await expect(
      withFault("retrieve_intent", { when: "before", as }, () => settlePayment(intentId)),
    ).rejects.toThrow();
    expect(await sale.getOrderRecord(id)).toBe(before);
    await settlePayment(intentId);
    expect(await sale.getOrderStatus(id)).toBe("paid");
  });

  it("needs no second request to assign keys whose assignment failed", async () => {
    const id = await sale.orderPlan(buyer, planId);
    const { intentId } = await sale.pay(buyer, id);
    await sale.waitForEvents();
    await clearQueue();
    await db.execute(sql`alter table key_events add constraint broken check (event <> 'assigned') not valid`);
    await settleAndAssign(intentId);
    expect(await sale.getOrderStatus(id)).toBe("paid");
    await db.execute(sql`alter table key_events drop constraint broken`);
    await withFault("retrieve_intent", { when: "before", as: "500" }, () => sale.runQueue({ mails: false }));
    expect(await sale.getOrderStatus(id)).toBe("shipped");
  });

  it("makes no second refund when the response of the first was lost", async () => {
    const product = await createSinglePlan({ availability: "pre_order", keys: 0 });
    const id = await sale.orderPlan(buyer, product.id);
    const { intentId } = await sale.pay(buyer, id);
    await sale.waitForEvents();
    await sale.runQueue({ mails: false });
    await sale.setClockAhead(`${30 * 24 + 73} hours`);
    await withFault("create_refund", { when: "after", as: "timeout" }, async () => {
      await sweepJob.run(undefined);
      await expect(sale.runQueue({ mails: false })).rejects.toThrow("send-refund failed");
    });
    await sale.setClockAhead(`${30 * 24 + 74} hours`);
    await sweepJob.run(undefined);
    await sale.setClockAhead("0");
    const [intent] = await db.execute(sql`select refunded_cents from sandbox_intents where id = ${intentId}`);
    const refunds = await db.execute(sql`select state, amount_cents from refunds where order_id = ${id}`);
    expect([intent?.refunded_cents, [...refunds]]).toEqual([
      1000,
      [{ state: "succeeded", amount_cents: 1000 }],
    ]);
    expect(await auditSale()).toEqual([]);
  });

  it("only delays paid orders by losing webhook events, because the sweeper finds them", async () => {
    clearSandboxFaults();
    dropSandboxEvents();
    const orderIds: string[] = [];
    for (let n = 0; n < 5; n++) orderIds.push(await sale.orderPlan(buyer, planId));
    for (const id of orderIds) await sale.pay(buyer, id);
    await sale.setClockAhead("3 minutes");
    await sweepJob.run(undefined);
    await db.execute(sql`select graphile_worker.complete_jobs(
      array(select id from graphile_worker.jobs where last_error is not null))`);
    await sale.runQueue({ mails: false });
    await sale.setClockAhead("0");
    for (const id of orderIds) expect(await sale.getOrderStatus(id)).toBe("shipped");
    sale.receiveEventsInProcess();
  });

  it("keeps the keys of a cancellation reserved until it confirms", async () => {
    const id = await sale.orderPlan(buyer, planId);
    await sale.openPayment(buyer, id);
    const cancellation = withFault("cancel_intent", { when: "before", as: "500" }, () =>
      cancelOrder(buyer.viewer, { order_id: id }),
    );
    await expect(cancellation).rejects.toThrow("provider_unavailable");
    expect(await auditSale()).toEqual([]);
    expect((await cancelOrder(buyer.viewer, { order_id: id })).status).toBe("cancelled");
    expect(await auditSale()).toEqual([]);
  });
});

describe("expired data", () => {
  it("such as rate limits and idempotency keys older than a day is deleted hourly", async () => {
    await db.execute(sql`delete from rate_limits`);
    await db.execute(
      sql`insert into rate_limits values ('old', 1, shop_now() - interval '2 minutes'), ('new', 1, shop_now() + interval '1 hour')`,
    );
    await db.execute(sql`insert into idempotency_keys (owner, key, request_hash, created_at, locked_until) values
      ('o', 'old', 'h', shop_now() - interval '25 hours', shop_now()), ('o', 'new', 'h', shop_now() - interval '23 hours', shop_now())`);
    await deleteExpiredDataJob.run(undefined);
    expect((await db.execute(sql`select bucket from rate_limits`)).map((row) => row.bucket)).toEqual(["new"]);
    expect((await db.execute(sql`select key from idempotency_keys`)).map((row) => row.key)).toEqual(["new"]);
  });
});
