import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";

/*
 * Two processes that share only the database, like two servers behind a load balancer. Each loads the rate limiter and
 * takes hits when it receives a command.
 */
const INSTANCE = `
  import { createInterface } from "node:readline";
  import { takeRateLimit } from "./lib/platform/rate-limit.ts";
  for await (const line of createInterface({ input: process.stdin })) {
    const { hits, counter } = JSON.parse(line);
    const results = await Promise.all(Array.from({ length: hits }, () =>
      takeRateLimit([counter], { failClosed: true }).then(() => "passed", (error) => error.error + " " + error.params.retryAfterSeconds)));
    console.log(JSON.stringify(results));
  }
  process.exit(0);`;

type Instance = { take(hits: number, limit: number, seconds?: number): Promise<string[]>; end(): void };

function startInstance(): Instance {
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", INSTANCE], {
    stdio: ["pipe", "pipe", "inherit"],
    env: process.env, // includes the database of this test file
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async take(hits, limit, seconds = 60) {
      const counter = { name: "call:/two", who: "203.0.113.9", limit, seconds };
      child.stdin.write(`${JSON.stringify({ hits, counter })}\n`);
      return JSON.parse((await lines.next()).value ?? "[]");
    },
    end: () => child.stdin.end(),
  };
}

let firstInstance: Instance;
let secondInstance: Instance;
beforeAll(async () => {
  [firstInstance, secondInstance] = [startInstance(), startInstance()];
  await Promise.all([firstInstance.take(1, 100), secondInstance.take(1, 100)]);
});
afterAll(async () => {
  firstInstance.end();
  secondInstance.end();
  await closeDatabase();
});
beforeEach(async () => {
  await client()`delete from rate_limits`;
});

const countPassed = (results: string[]) => results.filter((answer) => answer === "passed").length;

describe("rate limit across two server processes", () => {
  it("adds the hits of both processes", async () => {
    expect(countPassed(await firstInstance.take(3, 5))).toBe(3);
    const results = await secondInstance.take(4, 5);
    expect(countPassed(results)).toBe(2);
    expect(results.filter((answer) => /^too_many_requests ([1-9]|[1-5]\d|60)$/.test(answer))).toHaveLength(2);
    expect(countPassed(await firstInstance.take(1, 5))).toBe(0);
  });

  it("allows exactly the limit under concurrent hits", async () => {
    const results = await Promise.all([firstInstance.take(40, 50), secondInstance.take(40, 50)]);
    expect(countPassed(results.flat())).toBe(50);
    const [row] = await client()<{ hits: number }[]>`select hits from rate_limits`;
    expect(row?.hits).toBe(80);
  });

  it("starts again in both processes when the window ends", async () => {
    expect(countPassed(await firstInstance.take(2, 1))).toBe(1);
    await client()`update rate_limits set ends_at = shop_now()`;
    expect(countPassed(await secondInstance.take(2, 1))).toBe(1);
  });
});
