import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";

/*
 * Two processes with nothing in common but the database, as two servers behind a balancer: each loads the limiter for
 * itself and takes hits on being told.
 */
const INSTANCE = `
  import { createInterface } from "node:readline";
  import { takeRateLimit } from "./lib/platform/rate-limit.ts";
  for await (const line of createInterface({ input: process.stdin })) {
    const { hits, counter } = JSON.parse(line);
    const answers = await Promise.all(Array.from({ length: hits }, () =>
      takeRateLimit([counter], { failClosed: true }).then(() => "passed", (error) => error.error + " " + error.params.retryAfterSeconds)));
    console.log(JSON.stringify(answers));
  }
  process.exit(0);`;

type Instance = { take(hits: number, limit: number, seconds?: number): Promise<string[]>; end(): void };

function startInstance(): Instance {
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", INSTANCE], {
    stdio: ["pipe", "pipe", "inherit"],
    env: process.env, // vitest's own, with this file's database
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

let one: Instance;
let two: Instance;
beforeAll(async () => {
  [one, two] = [startInstance(), startInstance()];
  await Promise.all([one.take(1, 100), two.take(1, 100)]);
}, 30_000);
afterAll(async () => {
  one.end();
  two.end();
  await closeDatabase();
});
beforeEach(async () => {
  await client()`delete from rate_limits`;
});

const passed = (answers: string[]) => answers.filter((answer) => answer === "passed").length;

describe("a limit over two instances", () => {
  it("what one has counted, the other counts on", async () => {
    expect(passed(await one.take(3, 5))).toBe(3);
    const answers = await two.take(4, 5);
    expect(passed(answers)).toBe(2);
    expect(answers.filter((answer) => /^too_many_requests ([1-9]|[1-5]\d|60)$/.test(answer))).toHaveLength(2);
    expect(passed(await one.take(1, 5))).toBe(0);
  });

  it("lets exactly the limit through when both are asked at once", async () => {
    const answers = await Promise.all([one.take(40, 50), two.take(40, 50)]);
    expect(passed(answers.flat())).toBe(50);
    const [row] = await client()<{ hits: number }[]>`select hits from rate_limits`;
    expect(row?.hits).toBe(80);
  });

  it("both begin anew when the window is over", async () => {
    expect(passed(await one.take(2, 1))).toBe(1);
    await client()`update rate_limits set ends_at = shop_now()`;
    expect(passed(await two.take(2, 1))).toBe(1);
  });
});
