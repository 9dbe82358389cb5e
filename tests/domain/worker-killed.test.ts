import { EventEmitter } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { Logger, run, type WorkerEvents } from "graphile-worker";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { closeDatabase, db } from "@/db/client";
import { env } from "@/lib/platform/env";
import { defineJob, enqueue } from "@/lib/platform/jobs/queue";
import { runJobs } from "@/lib/platform/jobs/worker";
import { findDeadWorkers, holdLiveness } from "@/lib/platform/jobs/worker-liveness";

afterAll(closeDatabase);

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
  it("leaves jobs that the next worker runs within seconds, while a long job of a live worker is not run twice", async () => {
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
    await expect.poll(async () => (await db.execute(lockedLongAgo)).length, { timeout: 30_000 }).toBe(1);
    expect(await findDeadWorkers()).toEqual([]);
    await deadWorker.release(); // kill -9 closes the connection and so releases the lock
    expect(await findDeadWorkers()).toHaveLength(1);
    await enqueue(db, noteJob, { n: 2, ms: 14_000 }, { jobKey: "long" });
    const startedAt = Date.now();
    const worker = await runJobs([noteJob]);
    await expect.poll(() => [...executed].sort(), { timeout: 45_000 }).toEqual([1, 2]);
    console.log(`a killed worker's job ran again after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
    await wait(Math.max(0, 14_500 - (Date.now() - startedAt)));
    expect([...executed].sort()).toEqual([1, 2]);
    endJob();
    await runner.stop();
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
    await expect.poll(countLocks, { timeout: 15_000 }).toBe(1);
    await db.execute(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'passlane-worker-liveness'`,
    );
    await expect.poll(countLocks, { timeout: 30_000 }).toBe(1);
    await liveness.release();
  });
});
