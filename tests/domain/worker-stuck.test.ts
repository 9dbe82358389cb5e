import { setTimeout as wait } from "node:timers/promises";
import type { Runner, RunnerOptions } from "graphile-worker";
import { afterAll, expect, it, vi } from "vitest";
import { z } from "zod";
import { client, closeDatabase } from "@/db/client";
import { defineJob } from "@/lib/platform/jobs/queue";
import { runJobs } from "@/lib/platform/jobs/worker";

afterAll(closeDatabase);

/** The first runner stops working but never ends, as graphile-worker does when Postgres is killed during a write. */
const runners: RunnerOptions[] = [];
vi.mock("graphile-worker", async (importOriginal) => {
  const worker = await importOriginal<typeof import("graphile-worker")>();
  const run = async (options: RunnerOptions): Promise<Runner> => {
    const runner = await worker.run(options);
    runners.push(options);
    if (runners.length > 1) return runner;
    const never = new Promise<void>(() => {});
    return { ...runner, promise: never, stop: () => runner.stop().then(() => never) };
  };
  return { ...worker, run };
});

it("a runner that failed and does not stop is replaced, once", async () => {
  const executed: number[] = [];
  const job = defineJob({
    name: "test-note",
    schema: z.object({ n: z.number() }),
    run: async ({ n }) => void executed.push(n),
  });
  const worker = await runJobs([job], 500);
  await client()`select graphile_worker.add_job('test-note', '{"n":1}')`;
  await expect.poll(() => executed, { timeout: 30_000 }).toEqual([1]);
  const fail = (index: number) =>
    runners[index]?.events?.emit("pool:fatalError", { action: "failJob" } as never);
  fail(0);
  await expect.poll(() => runners.length, { timeout: 30_000 }).toBe(2);
  await client()`select graphile_worker.add_job('test-note', '{"n":2}')`;
  await expect.poll(() => executed, { timeout: 30_000 }).toEqual([1, 2]);
  fail(0); // a late failure of the pool that was replaced
  await wait(1_000);
  expect(runners).toHaveLength(2);
  fail(1);
  await expect.poll(() => runners.length, { timeout: 30_000 }).toBe(3);
  expect(worker.isRunning()).toBe(true);
  await worker.stop();
  expect(worker.isRunning()).toBe(false);
});
