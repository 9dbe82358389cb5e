import { EventEmitter } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { Logger, run, type WorkerEvents } from "graphile-worker";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { deleteExpiredDataJob } from "@/lib/accounts/jobs";
import { cancelOrder } from "@/lib/orders/cancellation/commands";
import { sweepJob } from "@/lib/orders/jobs";
import { settleAndAssign, settlePayment } from "@/lib/orders/payment/commands";
import { createPaymentIntent } from "@/lib/payments/commands";
import { env } from "@/lib/platform/env";
import { defineJob, enqueue } from "@/lib/platform/jobs/queue";
import { runJobs } from "@/lib/platform/jobs/worker";
import { findDeadWorkers, holdLiveness } from "@/lib/platform/jobs/worker-liveness";
import { auditSale } from "../faults/audit";
import { clearQueue, lockUnheard } from "../setup/queue";
import * as sale from "../setup/sale";
import {
  clearSandboxFaults,
  dropSandboxEvents,
  failSandbox,
  type SandboxFault,
} from "../setup/stripe-faults";

vi.setConfig({ testTimeout: 60_000 });
let buyer: sale.Buyer;
let planId: number;
beforeAll(async () => {
  sale.receiveEventsHere();
  buyer = await sale.newBuyer();
  planId = (await createSinglePlan({ keys: 60 })).id;
});
afterAll(sale.endSale);

const executed: number[] = [];
const noteJob = defineJob({
  name: "test-note",
  schema: z.object({ n: z.number(), ms: z.number().default(0) }),
  run: async ({ n, ms }) => {
    executed.push(n);
    await wait(ms);
  },
});

describe("a killed worker", () => {
  it("leaves jobs that the next worker runs within seconds; a long job of a live worker is not run twice", async () => {
    const deadWorker = await holdLiveness();
    const events: WorkerEvents = new EventEmitter();
    events.on("pool:create", ({ workerPool }) => deadWorker.add(workerPool.id));
    let endJob = () => {};
    const neverEnds = new Promise<void>((resolve) => {
      endJob = resolve;
    });
    const runner = await run({
      connectionString: env().DATABASE_URL,
      noHandleSignals: true,
      taskList: { [noteJob.name]: () => neverEnds },
      logger: new Logger(() => () => {}),
      events,
    });
    await enqueue(db, noteJob, { n: 1 }, { jobKey: "locked" });
    const lockedLongAgo = sql`select 1 from graphile_worker.jobs where key = 'locked' and locked_at < now() - interval '6 seconds'`;
    await expect.poll(async () => (await db.execute(lockedLongAgo)).length, { timeout: 10_000 }).toBe(1);
    expect(await findDeadWorkers()).toEqual([]);
    await deadWorker.release(); // kill -9 closes the connection and so releases the lock
    expect(await findDeadWorkers()).toHaveLength(1);
    await enqueue(db, noteJob, { n: 2, ms: 14_000 }, { jobKey: "long" });
    const startedAt = Date.now();
    const worker = await runJobs([noteJob]);
    await expect.poll(() => [...executed].sort(), { timeout: 15_000 }).toEqual([1, 2]);
    console.log(`a killed worker's job ran again after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
    await wait(Math.max(0, 14_500 - (Date.now() - startedAt)));
    expect([...executed].sort()).toEqual([1, 2]);
    endJob();
    await runner.stop();
    await worker.stop();
  });

  it("a live worker releases a job whose response was lost; its running job is not run twice", async () => {
    const worker = await runJobs([noteJob]);
    await enqueue(db, noteJob, { n: 31, ms: 14_000 }, { jobKey: "running" });
    await expect.poll(() => executed).toContain(31);
    const [lockHolder] = await db.execute<{ locked_by: string }>(
      sql`select locked_by from graphile_worker.jobs where key = 'running'`,
    );
    const enqueueClockJob = () =>
      db.execute(
        sql`select graphile_worker.add_job('test-note', '{"n":32}', queue_name => 'clock', job_key => 'unheard',
          run_at => now() + interval '1 second')`,
      );
    await enqueueClockJob();
    await lockUnheard("unheard", lockHolder!.locked_by);
    await enqueueClockJob(); // the sweeper's next minute, which waits for its queue
    const startedAt = Date.now();
    await expect.poll(() => executed, { timeout: 45_000 }).toContain(32);
    console.log(
      `a job whose worker missed the response ran after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`,
    );
    await wait(Math.max(0, 14_500 - (Date.now() - startedAt)));
    expect(executed.filter((n) => n > 30).sort()).toEqual([31, 32]);
    expect(await db.execute(sql`select 1 from graphile_worker.jobs where attempts >= max_attempts`)).toEqual(
      [],
    );
    expect(worker.isRunning()).toBe(true);
    await worker.stop();
  });

  it("acquires its lock again after the database cut the connection", async () => {
    const liveness = await holdLiveness();
    liveness.add("pool-cut");
    const countLocks = async () => {
      const [row] = await db.execute<{ n: number }>(sql`select count(*)::int as n from pg_locks
        where locktype = 'advisory' and classid = 70411 and objid = hashtext('pool-cut')::bigint & 4294967295`);
      return row!.n;
    };
    await expect.poll(countLocks).toBe(1);
    await db.execute(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'passlane-worker-liveness'`,
    );
    await expect.poll(countLocks, { timeout: 10_000 }).toBe(1);
    await liveness.release();
  });
});

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
      sale.receiveEventsHere();
    }
  };

  it.each(FAULTS)(
    "opening a payment, %s after creation: one intent, payable at the next attempt",
    async (as) => {
      const id = await sale.orderOf(buyer, planId);
      const openTestPayment = () => createPaymentIntent(buyer.viewer, { order_id: id });
      const first = withFault("create_intent", { when: "after", as }, openTestPayment);
      await expect(first).rejects.toThrow("provider_unavailable");
      expect(await sale.statusOf(id)).toBe("pending");
      await sale.pay(buyer, id);
      const intents = await db.execute(
        sql`select 1 from sandbox_intents where metadata->>'order_id' = ${id}`,
      );
      expect(intents).toHaveLength(1);
    },
  );

  it.each(FAULTS)("settling, %s: nothing changes, and the next attempt settles", async (as) => {
    const id = await sale.orderOf(buyer, planId);
    const { intentId } = await sale.pay(buyer, id);
    await sale.eventsArrived();
    const before = await sale.recordOf(id);
    await expect(
      withFault("retrieve_intent", { when: "before", as }, () => settlePayment(intentId)),
    ).rejects.toThrow();
    expect(await sale.recordOf(id)).toBe(before);
    await settlePayment(intentId);
    expect(await sale.statusOf(id)).toBe("paid");
  });

  it("keys whose assignment failed are assigned without another provider request", async () => {
    const id = await sale.orderOf(buyer, planId);
    const { intentId } = await sale.pay(buyer, id);
    await sale.eventsArrived();
    await clearQueue();
    await db.execute(sql`alter table key_events add constraint broken check (event <> 'assigned') not valid`);
    await settleAndAssign(intentId);
    expect(await sale.statusOf(id)).toBe("paid");
    await db.execute(sql`alter table key_events drop constraint broken`);
    await withFault("retrieve_intent", { when: "before", as: "500" }, () => sale.runQueue({ mails: false }));
    expect(await sale.statusOf(id)).toBe("shipped");
  });

  it("a refund whose response was lost is not made twice", async () => {
    const product = await createSinglePlan({ availability: "pre_order", keys: 0 });
    const id = await sale.orderOf(buyer, product.id);
    const { intentId } = await sale.pay(buyer, id);
    await sale.eventsArrived();
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

  it("lost webhook events only delay: the sweeper finds paid orders", async () => {
    clearSandboxFaults();
    dropSandboxEvents();
    const orderIds: string[] = [];
    for (let n = 0; n < 5; n++) orderIds.push(await sale.orderOf(buyer, planId));
    for (const id of orderIds) await sale.pay(buyer, id);
    await sale.setClockAhead("3 minutes");
    await sweepJob.run(undefined);
    await db.execute(sql`select graphile_worker.complete_jobs(
      array(select id from graphile_worker.jobs where last_error is not null))`);
    await sale.runQueue({ mails: false });
    await sale.setClockAhead("0");
    for (const id of orderIds) expect(await sale.statusOf(id)).toBe("shipped");
    sale.receiveEventsHere();
  });

  it("a cancellation that the provider did not confirm keeps the keys reserved", async () => {
    const id = await sale.orderOf(buyer, planId);
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
  it("is deleted hourly: expired rate limits and idempotency keys older than a day", async () => {
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
