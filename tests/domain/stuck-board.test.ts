import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { db, transaction } from "@/db/client";
import { createKeys, createProduct, createSinglePlan } from "@/db/factories/catalog";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { enqueueAssign } from "@/lib/orders/fulfilment/enqueue-assign";
import { settlePayment } from "@/lib/orders/payment/settle-payment";
import { enqueue } from "@/lib/platform/jobs/queue";
import { runJobs } from "@/lib/platform/jobs/worker";
import type { StuckItem } from "@/lib/staff/stuck/contract";
import { listStuck } from "@/lib/staff/stuck/list-stuck";
import { retryEffects, retryStuck } from "@/lib/staff/stuck/retry-stuck";
import type { StuckKind } from "@/lib/staff/stuck/rules";
import { allJobs } from "@/scripts/work";
import { clearQueue } from "../setup/queue";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

registerSaleHooks();
let buyer: sale.Buyer;
let support: StaffUser;
let planId: number;
beforeAll(async () => {
  buyer = await sale.createBuyer();
  support = await createStaff({ roles: ["support"] });
  planId = (await createSinglePlan({ keys: 20 })).id;
});

const listKind = async (kind: StuckKind) => (await listStuck({ kind }, "en")).items;
const find = async (kind: StuckKind, id: string): Promise<StuckItem | undefined> =>
  (await listKind(kind)).find((item) => item.id === id);
const retry = async (kind: Parameters<typeof retryStuck>[1]["kind"], id: string) =>
  (await retryStuck(support.viewer, { kind, id })).outcome;
const countRetries = async (id: string) => {
  const [row] = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from audit_entries where subject = ${id} and action = 'stuck.retried' and actor = ${support.id}`,
  );
  return row!.n;
};

/** An order that is paid while no worker runs. */
async function payWithoutWorker(): Promise<string> {
  const orderId = await sale.orderPlan(buyer, planId);
  const { intentId } = await sale.pay(buyer, orderId);
  await settlePayment(intentId);
  await sale.waitForEvents();
  expect(await sale.getOrderStatus(orderId)).toBe("paid");
  return orderId;
}

/** A paid order whose code expired before it was assigned. */
async function sellWithoutStock() {
  const product = await createProduct({ plans: [{ keys: 1 }] });
  const plan = product.plans[0]!.id;
  const orderId = await sale.orderPlan(buyer, plan);
  await db.execute(sql`
    update keys set state = 'available', order_line_id = null, slot = null, reserved_at = null,
      redeem_by = shop_now() - interval '1 minute' where plan_id = ${plan}`);
  await db.execute(sql`
    insert into key_events (key_id, event, actor) select id, 'released', 'shop' from keys where plan_id = ${plan}`);
  await sale.pay(buyer, orderId);
  await sale.processEvents();
  expect(await sale.getOrderStatus(orderId)).toBe("processing");
  return { plan, orderId };
}

describe("the board of stuck work, while the worker is stopped,", () => {
  it("shows a paid order within six minutes, and drops it once the worker runs again", async () => {
    const orderId = await payWithoutWorker();
    expect(await find("order", orderId)).toBeUndefined();
    await sale.setClockAhead("6 minutes");
    expect(await find("order", orderId)).toMatchObject({ why: "queued", order_number: expect.any(String) });
    await sale.runQueue();
    expect(await find("order", orderId)).toBeUndefined();
    expect(await listKind("payment_event")).toEqual([]);
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
  });

  it("shows a payment known only by its event, with its order", async () => {
    const orderId = await sale.orderPlan(buyer, planId);
    await sale.pay(buyer, orderId);
    await sale.waitForEvents();
    expect(["pending", "processingPayment"]).toContain(await sale.getOrderStatus(orderId));
    await sale.setClockAhead("6 minutes");
    const [row] = await db.execute<{ number: string }>(
      sql`select order_number as number from orders where id = ${orderId}`,
    );
    const events = (await listKind("payment_event")).filter((item) => item.order_number === row!.number);
    expect(events.length).toBeGreaterThan(0);
    for (const { id } of events) expect(await retry("payment_event", id)).toBe("waiting");
    await clearQueue();
    for (const { id } of events) expect(await retry("payment_event", id)).toBe("queued");
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
    expect(await listKind("payment_event")).toEqual([]);
  });

  it("says that no worker runs, and not while one does", async () => {
    expect(await listKind("worker")).toMatchObject([{ id: "worker", why: "no_worker" }]);
    const worker = await runJobs(allJobs.filter((job) => !job.cron));
    try {
      expect(await listKind("worker")).toEqual([]);
    } finally {
      await worker.stop();
    }
    expect(await listKind("worker")).toHaveLength(1);
  });

  it("shows waiting emails, which are sent once after any number of presses", async () => {
    const orderId = await payWithoutWorker();
    await sale.runQueue({ mails: false });
    await sale.setClockAhead("6 minutes");
    const [mail] = await db.execute<{ id: string }>(
      sql`select id from mails where state = 'queued' and event = 'keys' and refs->>'orderId' = ${orderId}`,
    );
    expect(await find("mail_queued", mail!.id)).toMatchObject({
      why: "queued",
      mail_event: "keys",
      about: buyer.email,
    });
    await clearQueue();
    expect(await find("mail_queued", mail!.id)).toMatchObject({ why: "no_job" });
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => retry("mail_queued", mail!.id)));
    expect(outcomes.sort()).toEqual(["queued", "waiting", "waiting", "waiting"]);
    expect(await countRetries(mail!.id)).toBe(1);
    await sale.runQueue();
    expect(await find("mail_queued", mail!.id)).toBeUndefined();
    expect(await retry("mail_queued", mail!.id)).toBe("gone");
    expect(await sale.listOrderMails(orderId)).toEqual(expect.arrayContaining(["keys sent"]));
  });
});

describe("running stuck work again", () => {
  it("queues a paid order once, even if several people retry it", async () => {
    const [orderId, otherId] = [await payWithoutWorker(), await payWithoutWorker()];
    await clearQueue();
    await sale.setClockAhead("6 minutes");
    expect(await find("order", orderId)).toMatchObject({ why: "no_job" });
    const effects = await retryEffects.find(() => retryStuck(support.viewer, { kind: "order", id: orderId }));
    expect(effects).toMatchObject([
      { kind: "retry", outcome: "queued" },
      { kind: "order_status", status: "shipped" },
      { kind: "codes", change: "assigned", count: 1 },
      { kind: "email", event: "keys", to: buyer.email },
    ]);
    expect(await countRetries(orderId)).toBe(0);
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => retry("order", orderId)));
    expect(outcomes.sort()).toEqual(["queued", "waiting", "waiting", "waiting"]);
    expect(await countRetries(orderId)).toBe(1);
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
    expect(await sale.getOrderStatus(otherId)).toBe("paid");
    expect(await retry("order", orderId)).toBe("gone");
    await transaction((tx) => enqueueAssign(tx, otherId));
    await sale.runQueue();
    expect(await retry("order", "ord_unknown")).toBe("gone");
  });

  it("releases an expired hold", async () => {
    const orderId = await sale.orderPlan(buyer, planId);
    await sale.setClockAhead("45 minutes");
    expect(await find("hold", orderId)).toMatchObject({ why: "not_released" });
    expect(await retry("hold", orderId)).toBe("done");
    expect(await sale.getOrderStatus(orderId)).toBe("cancelled");
    expect(await retry("hold", orderId)).toBe("gone");
    await sale.runQueue();
  });

  it("assigns stock to the orders that wait for it", async () => {
    const { plan, orderId } = await sellWithoutStock();
    expect(await find("stock", String(plan))).toBeUndefined();
    await createKeys(plan, 1);
    await clearQueue();
    await sale.setClockAhead("6 minutes");
    expect(await find("stock", String(plan))).toMatchObject({ why: "stock_unassigned" });
    expect(await retry("stock", String(plan))).toBe("queued");
    expect(await retry("stock", String(plan))).toBe("waiting");
    await sale.runQueue();
    expect(await find("stock", String(plan))).toBeUndefined();
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
  });

  it("refunds a line whose deadline has passed", async () => {
    const { orderId } = await sellWithoutStock();
    await sale.setClockAhead("73 hours");
    expect(await find("overdue", orderId)).toMatchObject({ why: "not_refunded" });
    expect(await retry("overdue", orderId)).toBe("done");
    expect(await find("overdue", orderId)).toBeUndefined();
    expect(await retry("overdue", orderId)).toBe("gone");
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
  });

  it("gives a failing job all of its attempts again", async () => {
    const job = { name: "sweep-mails", schema: allJobs.find(({ name }) => name === "sweep-mails")!.schema };
    await enqueue(db, job, {}, { jobKey: "stuck-test", maxAttempts: 3 });
    const [row] = await db.execute<{ id: string }>(
      sql`select id::text as id from graphile_worker.jobs where key = 'stuck-test'`,
    );
    const id = row!.id;
    expect(await find("job", id)).toBeUndefined();
    await db.execute(sql`select graphile_worker.permanently_fail_jobs(array[${id}::bigint], 'it broke')`);
    expect(await find("job", id)).toMatchObject({
      why: "given_up",
      error: "it broke",
      about: "sweep-mails",
      attempts: 3,
    });
    expect(await retry("job", id)).toBe("queued");
    expect(await find("job", id)).toBeUndefined();
    expect(await retry("job", id)).toBe("gone");
    await clearQueue();
  });

  it("shows a refund that was not sent, and sends it", async () => {
    const orderId = await sale.sell(buyer, planId);
    const [refund] = await db.execute<{ id: string }>(sql`
      insert into refunds (id, order_id, order_line_id, amount_cents, reason)
      select 'ref_stuck', l.order_id, l.id, 1, 'withdrawn' from order_lines l where l.order_id = ${orderId} returning id`);
    await sale.setClockAhead("6 minutes");
    expect(await find("refund", refund!.id)).toMatchObject({ why: "no_job" });
    const effects = await retryEffects.find(() =>
      retryStuck(support.viewer, { kind: "refund", id: refund!.id }),
    );
    expect(effects).toMatchObject([
      { kind: "retry", outcome: "queued" },
      { kind: "money_returned", amount: 0.01 },
      { kind: "email", event: "refund" },
    ]);
    expect(await retry("refund", refund!.id)).toBe("queued");
    await clearQueue();
    await db.execute(sql`delete from refunds where id = ${refund!.id}`);
  });

  it("repeats the reconciliation and the sealing", async () => {
    await sale.setClockAhead("0");
    await db.execute(sql`
      insert into reconciliation_reports (day, checked, differences, created_at) values ('2090-01-01', 1,
        '[{"object":"payment","id":"pi_odd","kind":"amount","ours":"succeeded 1","theirs":"succeeded 2","repaired":false},
          {"object":"payment","id":"pi_fine","kind":"amount","ours":null,"theirs":null,"repaired":true}]', shop_now() - interval '27 hours')`);
    expect(await listKind("reconciliation")).toMatchObject([
      { id: "payment:pi_odd", why: "differs", error: "amount: succeeded 1 ≠ succeeded 2" },
      { id: "run", why: "not_compared" },
    ]);
    expect(await retry("reconciliation", "payment:pi_odd")).toBe("queued");
    expect(await retry("reconciliation", "run")).toBe("waiting");
    await sale.runQueue();
    await db.execute(sql`delete from reconciliation_reports where day = '2090-01-01'`);
    expect(await listKind("reconciliation")).toEqual([]);
    await sale.setClockAhead("20 minutes");
    for (const kind of ["audit_seals", "custody_seals"] as const) {
      expect(await listKind(kind), kind).toMatchObject([{ id: "seals", why: "unsealed" }]);
      expect(await retry(kind, "seals")).toBe("queued");
      expect(await retry(kind, "seals")).toBe("waiting");
    }
    await sale.runQueue();
    expect(await listKind("custody_seals")).toEqual([]);
    expect(await listKind("audit_seals")).toEqual([]);
  });
});
