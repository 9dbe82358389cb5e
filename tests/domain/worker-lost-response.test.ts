import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { closeDatabase } from "@/db/client";
import { env } from "@/lib/platform/env";
import { defineJob } from "@/lib/platform/jobs/queue";
import { runJobs } from "@/lib/platform/jobs/worker";

/** Marks the payload of the job whose response is lost. */
const MARK = "lost response";

/*
 * The worker reaches Postgres through a proxy. It resets the connection over which Postgres hands out the marked job,
 * once: the job is locked in the worker's name and the worker does not know of it.
 */
const databaseUrl = new URL(env().DATABASE_URL);
const direct = postgres(databaseUrl.href, { max: 1, onnotice: () => {} });
let isLost = false;
const proxy = createServer((near) => {
  const far = connect(Number(databaseUrl.port), databaseUrl.hostname);
  near.on("data", (chunk) => far.write(chunk));
  far.on("data", (chunk) => {
    if (isLost || !chunk.includes(MARK)) return near.write(chunk);
    isLost = true;
    return near.resetAndDestroy();
  });
  near.on("error", () => {}).on("close", () => far.destroy());
  far.on("error", () => {}).on("close", () => near.destroy());
});
await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
const throughProxy = new URL(databaseUrl.href);
throughProxy.hostname = "127.0.0.1";
throughProxy.port = String((proxy.address() as AddressInfo).port);
Object.assign(env(), { DATABASE_URL: throughProxy.href, DATABASE_DIRECT_URL: throughProxy.href });

afterAll(async () => {
  await closeDatabase();
  await direct.end();
  proxy.close();
});

const executed: number[] = [];
const noteJob = defineJob({
  name: "test-note",
  schema: z.object({ n: z.number(), ms: z.number().default(0) }),
  run: async ({ n, ms }) => {
    executed.push(n);
    await wait(ms);
  },
});

it("a live worker releases a job whose response was lost, and its running job is not run twice", async () => {
  const worker = await runJobs([noteJob]);
  await direct`select graphile_worker.add_job('test-note', '{"n":1,"ms":14000}')`;
  await expect.poll(() => executed, { timeout: 30_000 }).toEqual([1]);
  const startedAt = Date.now();
  const enqueueClockJob = () =>
    direct`select graphile_worker.add_job('test-note', ${JSON.stringify({ n: 2, mark: MARK })}::text::json,
      queue_name => 'clock', job_key => 'clock')`;
  await enqueueClockJob();
  const isLocked = async () =>
    (await direct`select from graphile_worker.jobs where key = 'clock' and locked_by is not null`).length;
  await expect.poll(isLocked, { timeout: 30_000 }).toBe(1);
  expect(isLost).toBe(true);
  await enqueueClockJob(); // the clock's next minute, which waits for the queue of the first
  await expect.poll(() => executed, { timeout: 60_000 }).toContain(2);
  console.log(`a job whose response was lost ran after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  await wait(Math.max(0, 14_500 - (Date.now() - startedAt)));
  expect(executed).toEqual([1, 2]);
  expect(await direct`select from graphile_worker.jobs where attempts >= max_attempts`).toHaveLength(0);
  expect(worker.isRunning()).toBe(true);
  await worker.stop();
});
