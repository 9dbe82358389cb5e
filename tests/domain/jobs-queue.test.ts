import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { afterCommit, client, closeDatabase, db } from "@/db/client";
import { enqueue } from "@/lib/platform/jobs/queue";

const job = { name: "test-queue", schema: z.object({ n: z.number() }) };
const rows = () =>
  db.execute<{ key: string | null; payload: { n: number } }>(sql`
    select j.key, j.payload, j.attempts, j.max_attempts, j.last_error, j.priority, j.revision, j.flags, j.job_queue_id,
      j.locked_at is not null as locked, j.run_at > now() + interval '30 seconds' as later
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = ${job.name} order by j.id`);
const clear = () =>
  db.execute(sql`delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = ${job.name}`);

let told: string[] = [];
let ear: { unlisten(): Promise<void> };
beforeAll(async () => {
  ear = await client().listen("jobs:insert", (payload) => told.push(payload));
});
afterAll(async () => {
  await clear();
  await ear.unlisten();
  await closeDatabase();
});

type Put = (n: number) => Promise<unknown>;
const ours: Put = (n) => enqueue(db, job, { n }, { jobKey: "one", maxAttempts: 7, priority: 3 });
const theirs: Put = (n) =>
  db.execute(sql`select graphile_worker.add_job(${job.name}, ${JSON.stringify({ n })}::json, job_key => 'one',
    max_attempts => 7, priority => 3)`);

/** What is left after a job is queued, queued again, failed and queued again, and queued while it is at work. */
async function history(put: Put) {
  await clear();
  const seen: unknown[] = [];
  const change = (set: ReturnType<typeof sql>) =>
    db.execute(sql`update graphile_worker._private_jobs set ${set} where key = 'one'`);
  for (const before of [
    null,
    null,
    sql`attempts = 3, last_error = 'x', run_at = now() + interval '1 hour'`,
    sql`locked_at = now(), locked_by = 'somebody', attempts = 1`,
    sql`attempts = max_attempts`,
  ]) {
    if (before) await change(before);
    await put(seen.length);
    seen.push(await rows());
  }
  return seen;
}

it("a job is queued as graphile_worker.add_job queues it", async () => {
  expect(await history(ours)).toEqual(await history(theirs));
});

describe("the workers are told", () => {
  const until = (count: number) => expect.poll(() => told.length, { timeout: 2000 }).toBe(count);

  it("once, after the commit, and not of what is rolled back or is to be done later", async () => {
    await clear();
    await client()`select pg_sleep(0.1)`; // of what came before
    told = [];
    await db.transaction(async (tx) => {
      for (const n of [1, 2, 3]) await enqueue(tx, job, { n });
      await client()`select pg_sleep(0.1)`;
      expect(told).toEqual([]);
    });
    await until(1);
    await db
      .transaction(async (tx) => {
        await enqueue(tx, job, { n: 4 });
        throw new Error("rolled back");
      })
      .catch(() => {});
    await enqueue(db, job, { n: 5 }, { runAt: new Date(Date.now() + 60_000) });
    await client()`select pg_sleep(0.1)`;
    expect(told).toEqual(['{"count":3}']);
    expect((await rows()).map(({ payload }) => payload.n)).toEqual([1, 2, 3, 5]);
  });

  it("after the commit too where the bundles hold the client twice", async () => {
    vi.resetModules();
    const other = await import("@/db/client");
    expect(other.afterCommit).not.toBe(afterCommit);
    const order: string[] = [];
    await db.transaction(async (tx) => {
      other.afterCommit(tx, () => order.push("followed"));
      await client()`select 1`;
      order.push("at work");
    });
    expect(order).toEqual(["at work", "followed"]);
  });
});

it("a head start goes before what has waited less, and after what has waited more", async () => {
  await clear();
  await enqueue(db, job, { n: 1 });
  await enqueue(db, job, { n: 2 });
  await db.execute(sql`update graphile_worker._private_jobs j set run_at = now() - interval '11 seconds'
    where (payload->>'n')::int = 1 and task_id = (select id from graphile_worker._private_tasks where identifier = ${job.name})`);
  await enqueue(db, job, { n: 3 }, { headStartSeconds: 10 });
  const turn = await db.execute<{ n: number }>(sql`
    select (j.payload->>'n')::int as n from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = ${job.name} order by j.priority, j.run_at`);
  expect(turn.map(({ n }) => n)).toEqual([1, 3, 2]);
});
