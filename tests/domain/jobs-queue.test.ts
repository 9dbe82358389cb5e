import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { client, closeDatabase, db, pool, transaction } from "@/db/client";
import { enqueue } from "@/lib/platform/jobs/queue";
import { clearQueue } from "../setup/queue";

const job = { name: "test-queue", schema: z.object({ n: z.number() }) };
const listJobs = () =>
  db.execute(sql`select key, attempts, max_attempts, priority, revision, round(extract(epoch from run_at - now()))::int as seconds
    from graphile_worker.jobs order by priority, run_at, id`);

let notified: string[] = [];
let listener: { unlisten(): Promise<void> };
beforeAll(async () => {
  listener = await pool().listen("jobs:insert", (payload) => notified.push(payload));
});
beforeEach(clearQueue);

/** Waits until the listener has received all earlier notifications. */
async function receiveEarlier(): Promise<void> {
  const mark = randomUUID();
  await client()`select pg_notify('jobs:insert', ${mark})`;
  await expect.poll(() => notified, { timeout: 15_000, interval: 10 }).toContain(mark);
  notified = notified.filter((payload) => payload !== mark);
}
afterAll(async () => {
  await clearQueue();
  await listener.unlisten();
  await closeDatabase();
});

it("enqueue stores key, time, attempts and priority; a second job with the same key replaces the first", async () => {
  await enqueue(db, job, { n: 1 }, { jobKey: "one", maxAttempts: 7, priority: 3 });
  expect(await listJobs()).toEqual([
    { key: "one", attempts: 0, max_attempts: 7, priority: 3, revision: 0, seconds: 0 },
  ]);
  await enqueue(db, job, { n: 2 }, { jobKey: "one", runAt: new Date(Date.now() + 60_000) });
  expect(await listJobs()).toEqual([
    { key: "one", attempts: 0, max_attempts: 25, priority: 0, revision: 1, seconds: 60 },
  ]);
});

it("workers are notified at the commit, and not after a rollback", async () => {
  await receiveEarlier();
  notified = [];
  await transaction(async (tx) => {
    for (const n of [1, 2, 3]) await enqueue(tx, job, { n });
    await receiveEarlier();
    expect(notified).toEqual([]);
  });
  await receiveEarlier();
  expect(notified).toHaveLength(3);
  const dryRun = transaction(async (tx) => {
    await enqueue(tx, job, { n: 4 });
    throw new Error("rolled back");
  });
  await expect(dryRun).rejects.toThrow("rolled back");
  await receiveEarlier();
  expect(notified).toHaveLength(3);
  expect(await listJobs()).toHaveLength(3);
});
