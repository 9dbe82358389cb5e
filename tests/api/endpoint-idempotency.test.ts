import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { client, closeDatabase } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import type { Handler } from "@/lib/platform/api/declaration";
import { endpoint } from "@/lib/platform/api/endpoint";
import { ShopError } from "@/lib/platform/errors";
import { runRequest } from "@/lib/platform/request-scope";
import { call } from "./call";

let runCount = 0;
let repeatedFlags: boolean[] = [];
let user: SignedInUser;
beforeEach(async () => {
  runCount = 0;
  repeatedFlags = [];
  user = await createSignedInUser();
});
afterAll(closeDatabase);

const body = z.object({ text: z.string() });
const write = endpoint(
  {
    summary: "Write",
    access: "user",
    body,
    result: z.object({ run: z.int(), text: z.string() }),
    errors: ["sold_out"],
  },
  async (input) => {
    runCount += 1;
    const run = runCount;
    await new Promise((resolve) => setTimeout(resolve, 60));
    if (input.body.text === "refuse") throw new ShopError("sold_out");
    return { run, text: input.body.text };
  },
);
const secret = endpoint(
  {
    summary: "Secret",
    access: "user",
    body,
    result: z.object({ secret: z.string() }),
    errors: [],
    replay: false,
  },
  ({ repeated }) => {
    repeatedFlags.push(repeated);
    return { secret: "swordfish" };
  },
);
const send = (handler: Handler, key: string, text = "a", sender = user) =>
  call(handler, "/write", {
    body: { text },
    headers: { authorization: sender.bearer, "idempotency-key": key },
  });

describe("Idempotency-Key", () => {
  it("replays the response of the first request", async () => {
    const key = randomUUID();
    const first = await send(write, key);
    const again = await send(write, key);
    expect(again.body).toEqual(first.body);
    expect([first.headers.get("idempotent-replayed"), again.headers.get("idempotent-replayed")]).toEqual([
      null,
      "true",
    ]);
    expect(runCount).toBe(1);
  });

  it("rejects the key for another body with 40906", async () => {
    const key = randomUUID();
    await send(write, key);
    expect((await send(write, key, "b")).body.code).toBe("40906");
    expect(runCount).toBe(1);
  });

  it("is scoped to one user", async () => {
    const key = randomUUID();
    const other = await createSignedInUser();
    await send(write, key);
    expect((await send(write, key, "b", other)).status).toBe(200);
  });

  it("runs the handler once for ten concurrent requests", async () => {
    const key = randomUUID();
    const responses = await Promise.all(Array.from({ length: 10 }, () => send(write, key)));
    expect(responses.map((answer) => answer.body.data)).toEqual(Array(10).fill({ run: 1, text: "a" }));
    expect(runCount).toBe(1);
  });

  it("is released after a rejection", async () => {
    const key = randomUUID();
    expect((await send(write, key, "refuse")).body.code).toBe("409");
    expect((await send(write, key, "refuse")).body.code).toBe("409");
    expect(runCount).toBe(2);
  });

  it("is reusable after a day, and after the lock of a dead process has expired", async () => {
    const key = randomUUID();
    await send(write, key);
    await client()`update idempotency_keys set created_at = created_at - interval '25 hours' where key = ${key}`;
    expect((await send(write, key, "b")).status).toBe(200);
    await client()`update idempotency_keys set http_status = null, locked_until = shop_now() - interval '1 second'
      where key = ${key}`;
    expect((await send(write, key, "b")).body.data.run).toBe(3);
  });

  it("runs the handler again instead of storing a response with a secret", async () => {
    const key = randomUUID();
    await send(secret, key);
    expect((await send(secret, key)).body.data).toEqual({ secret: "swordfish" });
    expect((await send(secret, key, "b")).body.code).toBe("40906");
    expect(repeatedFlags).toEqual([false, true]);
    const [row] = await client()`select body, request_hash from idempotency_keys where key = ${key}`;
    expect(row?.body).toBeNull();
  });

  it("is renewed by its request before ten seconds have passed", async () => {
    const key = randomUUID();
    const lease = async () => {
      const [row] = await client()<{ end: number }[]>`
        select extract(epoch from locked_until)::float as end from idempotency_keys where key = ${key}`;
      return row?.end ?? 0;
    };
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const slow = endpoint(
      { summary: "Slow", access: "user", body, result: z.object({}), errors: [] },
      async () => {
        await finished;
        return {};
      },
    );
    const running = send(slow, key);
    await expect.poll(lease, { timeout: 10_000, interval: 10 }).toBeGreaterThan(0);
    const first = await lease();
    await expect.poll(lease, { timeout: 15_000, interval: 50 }).toBeGreaterThan(first);
    expect((await lease()) - first).toBeLessThan(10);
    finish();
    expect((await running).status).toBe(200);
  });

  it("is released when the database answers again after a failure", async () => {
    const key = randomUUID();
    const failing = endpoint(
      { summary: "Failing", access: "user", body, result: z.object({}), errors: ["sold_out"] },
      async () => {
        await client()`alter table idempotency_keys rename to idempotency_keys_away`;
        setTimeout(
          () => void client()`alter table idempotency_keys_away rename to idempotency_keys`.execute(),
          300,
        );
        throw new ShopError("sold_out");
      },
    );
    expect((await send(failing, key)).body.code).toBe("409");
    await expect
      .poll(
        async () =>
          (await client()`select 1 from idempotency_keys where key = ${key}`.catch(() => [1])).length,
        {
          timeout: 15_000,
        },
      )
      .toBe(0);
  });

  it("is not changed by its first request once a retry has taken it over", async () => {
    const key = randomUUID();
    const late = endpoint(
      { summary: "Late", access: "user", body, result: z.object({}), errors: ["sold_out"] },
      async () => {
        await client()`update idempotency_keys set locked_until = locked_until + interval '1 second' where key = ${key}`;
        throw new ShopError("sold_out");
      },
    );
    expect((await send(late, key)).body.code).toBe("409");
    expect(await client()`select 1 from idempotency_keys where key = ${key}`).toHaveLength(1);
  });

  it("sends no statement for a request whose lease has ended", async () => {
    const ended = { leaseEndsAt: performance.now() - 1 };
    expect(() => runRequest(ended, () => client())).toThrow("suspended");
    await runRequest({ leaseEndsAt: performance.now() + 60_000 }, () => client()`select 1`);
  });

  it("is limited to 200 characters", async () => {
    expect((await send(write, "x".repeat(201))).body.code).toBe("40000");
  });
});
