import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isDatabaseFailure } from "@/lib/platform/database-failure";
import { READ_COSTS, READ_LIMITS, ReadLimits, renderCost } from "@/lib/platform/http/read-limits";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** `isTableLocked`: statements of the database wait for a locked table. */
function createLimits(limits: Partial<typeof READ_LIMITS> = {}, isTableLocked = false): ReadLimits {
  const created = new ReadLimits({ ...READ_LIMITS, ...limits }, { now: () => Date.now() });
  created.watchDatabase(() => isTableLocked);
  return created;
}

/** Reads that end when the test says so, in the order in which they were started. */
function createReads(limits: ReadLimits) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return {
    started,
    async begin(client: string, name: string, cost = 1, key?: string, long?: boolean) {
      const result = limits
        .run({ client, cost, key, long }, async () => {
          started.push(name);
          await new Promise<void>((resolve) => ends.set(name, resolve));
        })
        .then(
          () => "done",
          (error: { error: string; params: object }) =>
            isDatabaseFailure(error) ? "database down" : [error.error, error.params],
        );
      await settle();
      return { result };
    },
    async end(name: string) {
      ends.get(name)?.();
      await settle();
    },
  };
}

const read = (limits: ReadLimits, client: string, cost = 1) =>
  limits.run({ client, cost }, async () => "read");
const refused = (retryAfterSeconds: number) =>
  expect.objectContaining({ error: "too_many_requests", params: { retryAfterSeconds } });

describe("tokens of an address", () => {
  it("allow 200 pages at once, then 20 a second, and tell when to come back", async () => {
    const limits = createLimits();
    for (let n = 0; n < 200; n++) expect(await read(limits, "203.0.113.7")).toBe("read");
    await expect(read(limits, "203.0.113.7")).rejects.toEqual(refused(1));
    await expect(read(limits, "203.0.113.7", READ_COSTS.shareImage)).rejects.toEqual(refused(1));
    await vi.advanceTimersByTimeAsync(1000);
    for (let n = 0; n < 20; n++) expect(await read(limits, "203.0.113.7")).toBe("read");
    await expect(read(limits, "203.0.113.7")).rejects.toEqual(refused(1));
    expect(await read(limits, "203.0.113.8")).toBe("read");
  });

  it("never refuse a crawler that reads 20 pages a second", async () => {
    const limits = createLimits();
    for (let n = 0; n < 2000; n++) {
      await read(limits, "203.0.113.7");
      await vi.advanceTimersByTimeAsync(50);
    }
  });

  it("are shared by a /64 of IPv6, whatever the spelling", async () => {
    const limits = createLimits({ tokens: 3, tokensPerSecond: 1 });
    for (const client of ["2001:db8::1", "2001:DB8:0:0:ffff::9", "2001:0db8:0000:0000:1::"])
      expect(await read(limits, client)).toBe("read");
    await expect(read(limits, "2001:db8::2")).rejects.toEqual(refused(1));
    await expect(read(limits, "2001:db8::2", 3)).rejects.toEqual(refused(3));
    expect(await read(limits, "2001:db8:0:1::1")).toBe("read");
    expect(await read(limits, "203.0.113.7")).toBe("read");
    for (let n = 0; n < 2; n++) await read(limits, "::ffff:203.0.113.7");
    await expect(read(limits, "203.0.113.7")).rejects.toEqual(refused(1));
  });
});

describe("slots", () => {
  it("of one address are two of four, so that others start at once", async () => {
    const reads = createReads(createLimits());
    for (const name of ["a1", "a2", "a3", "a4"]) await reads.begin("10.0.0.1", name);
    await reads.begin("10.0.0.2", "b1");
    expect(reads.started).toEqual(["a1", "a2", "b1"]);
    await reads.end("a1");
    expect(reads.started).toEqual(["a1", "a2", "b1", "a3"]);
  });

  it("are kept for addresses that have used little; others have one each", async () => {
    const limits = createLimits();
    const reads = createReads(limits);
    const heavy = ["10.0.0.1", "10.0.0.2", "10.0.0.3"];
    for (const client of heavy) limits.take(client, 30);
    for (const client of heavy) for (const n of [1, 2]) await reads.begin(client, `${client} ${n}`);
    expect(reads.started).toEqual(["10.0.0.1 1", "10.0.0.2 1"]);
    for (const n of [1, 2, 3]) await reads.begin("10.0.0.9", `light ${n}`);
    expect(reads.started.slice(2)).toEqual(["light 1", "light 2"]);
  });

  it("go to light addresses first, and addresses take turns", async () => {
    const limits = createLimits({ slots: 1, keptSlots: 0 });
    const reads = createReads(limits);
    limits.take("10.0.0.3", 120);
    await reads.begin("10.0.0.1", "running");
    for (const name of ["a1", "a2", "a3"]) await reads.begin("10.0.0.2", name);
    await reads.begin("10.0.0.3", "heavy");
    await reads.begin("10.0.0.4", "b1");
    const order = ["running", "a1", "b1", "a2", "a3", "heavy"];
    for (const name of order) await reads.end(name);
    expect(reads.started).toEqual(order);
  });

  it("of a read that waits for others for a second are passed on", async () => {
    const reads = createReads(createLimits({ slots: 1, keptSlots: 0 }));
    const { result } = await reads.begin("10.0.0.1", "stuck");
    await reads.begin("10.0.0.2", "next");
    expect(reads.started).toEqual(["stuck"]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(reads.started).toEqual(["stuck", "next"]);
    await reads.begin("10.0.0.3", "third");
    await reads.end("stuck"); // its slot is already passed on
    expect(await result).toBe("done");
    expect(reads.started).toEqual(["stuck", "next"]);
  });

  it("are free again after a read that fails", async () => {
    const limits = createLimits({ slots: 1, keptSlots: 0 });
    const fail = () => limits.run({ client: "10.0.0.1", cost: 1 }, () => Promise.reject(new Error("broken")));
    for (let n = 0; n < 3; n++) await expect(fail()).rejects.toThrow("broken");
    expect(await read(limits, "10.0.0.1")).toBe("read");
  });
});

describe("while reads wait for the database", () => {
  const settledAfter = async (result: Promise<unknown>) => {
    const startedAt = Date.now();
    let outcome: [unknown, number] | undefined;
    void result.then((value) => {
      outcome = [value, Date.now() - startedAt];
    });
    while (!outcome) await vi.advanceTimersByTimeAsync(50);
    return outcome;
  };

  it("one that waited for its slot fails within 2.7 s of its request", async () => {
    const reads = createReads(createLimits({ slots: 1, keptSlots: 0 }, true));
    await reads.begin("10.0.0.1", "stuck");
    const { result } = await reads.begin("10.0.0.2", "next");
    const [outcome, ms] = await settledAfter(result);
    expect(reads.started).toEqual(["stuck", "next"]);
    expect(outcome).toBe("database down");
    expect(ms).toBeLessThanOrEqual(2_700);
    await reads.end("next"); // its late result is dropped
  });

  it("none waits for a slot longer than 1.7 s, so that its statement still fails in time", async () => {
    const reads = createReads(createLimits({ slots: 1, keptSlots: 0 }, true));
    await reads.begin("10.0.0.1", "stuck");
    const waiting = [];
    for (const n of [2, 3, 4, 5]) waiting.push((await reads.begin(`10.0.0.${n}`, `w${n}`)).result);
    const outcomes = await Promise.all(waiting.map(settledAfter));
    for (const [outcome, ms] of outcomes) {
      expect(outcome).toBe("database down");
      expect(ms).toBeLessThanOrEqual(2_700);
    }
    expect(reads.started).toEqual(["stuck", "w2"]);
  });

  it("a read that coalesces with another one fails in time too", async () => {
    const reads = createReads(createLimits({}, true));
    const { result } = await reads.begin("10.0.0.1", "never answered");
    expect(await settledAfter(result)).toEqual(["database down", 2_700]);
  });

  it("none waits for its slot once the database is down", async () => {
    const limits = createLimits();
    const reads = createReads(limits);
    const waiting = [];
    for (let n = 0; n < 4; n++) waiting.push(await reads.begin("203.0.113.7", `read ${n}`));
    expect(reads.started).toEqual(["read 0", "read 1"]);
    limits.refuseWaiting();
    expect(await waiting[2]!.result).toBe("database down");
    expect(await waiting[3]!.result).toBe("database down");
    await reads.end("read 0");
    expect(reads.started).toEqual(["read 0", "read 1"]);
  });

  it("later reads are served again once the database answers", async () => {
    const reads = createReads(createLimits({ slots: 1, keptSlots: 0, waitMs: 60_000 }, true));
    const { result } = await reads.begin("10.0.0.1", "stuck");
    await vi.advanceTimersByTimeAsync(2_000);
    await reads.end("stuck");
    expect(await result).toBe("done");
    await reads.begin("10.0.0.2", "busy", 1, undefined, true);
    const last = await reads.begin("10.0.0.3", "last");
    await vi.advanceTimersByTimeAsync(900);
    await reads.end("busy");
    await reads.end("last");
    expect(await last.result).toBe("done");
  });

  it("a read that is slow without a locked table, or long such as that of a file, does not wait for the database", async () => {
    for (const [isTableLocked, long] of [
      [false, false],
      [true, true],
    ] as const) {
      const reads = createReads(createLimits({ slots: 1, keptSlots: 0, slotMs: 2_000 }, isTableLocked));
      const { result } = await reads.begin("10.0.0.1", "slow", 1, undefined, long);
      const other = await reads.begin("10.0.0.2", "other", 1, undefined, long);
      await vi.advanceTimersByTimeAsync(4_500);
      expect(reads.started).toEqual(["slow", "other"]);
      await reads.end("slow");
      await reads.end("other");
      expect([await result, await other.result]).toEqual(["done", "done"]);
    }
  });
});

describe("the waiting room", () => {
  it("holds 100 reads of an address: a page may have that many pictures", async () => {
    const reads = createReads(createLimits());
    for (let n = 0; n < 102; n++) await reads.begin("10.0.0.1", `a${n}`);
    const { result } = await reads.begin("10.0.0.1", "one too many");
    expect(await result).toEqual(["too_many_requests", { retryAfterSeconds: 5 }]);
  });

  it("when it is full, refuses the last read of the address that has the most of them", async () => {
    const limits = createLimits({ slots: 1, keptSlots: 0, waiting: 3 });
    const reads = createReads(limits);
    await reads.begin("10.0.0.1", "running");
    await reads.begin("10.0.0.2", "a1");
    const last = await reads.begin("10.0.0.2", "a2");
    await reads.begin("10.0.0.3", "b1");
    await reads.begin("10.0.0.4", "c1");
    expect(await last.result).toEqual(["too_many_requests", { retryAfterSeconds: 5 }]);
    const equal = await reads.begin("10.0.0.5", "no address has more than one");
    expect(await equal.result).toEqual(["too_many_requests", { retryAfterSeconds: 5 }]);
  });

  it("refuses a read after ten seconds", async () => {
    const limits = createLimits({ slots: 1, keptSlots: 0, slotMs: 60_000 });
    const reads = createReads(limits);
    await reads.begin("10.0.0.1", "running");
    const { result } = await reads.begin("10.0.0.2", "waiting");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await result).toEqual(["too_many_requests", { retryAfterSeconds: 5 }]);
    await reads.end("running");
    expect(reads.started).toEqual(["running"]);
  });

  it("serves a read that a light address joins as if that address had asked first", async () => {
    const limits = createLimits({ slots: 1, keptSlots: 0 });
    const reads = createReads(limits);
    limits.take("10.0.0.2", 190);
    limits.take("10.0.0.3", 120);
    await reads.begin("10.0.0.1", "running");
    await reads.begin("10.0.0.2", "page that others want", 1, "/");
    await reads.begin("10.0.0.3", "other page", 1, "/other");
    limits.join("10.0.0.9", "/");
    await reads.end("running");
    expect(reads.started).toEqual(["running", "page that others want"]);
  });
});

it("renderCost knows what Next answers", () => {
  expect(["/", "/product/x", "/zh/mobile/login", "/nothing.php", "/share-image/x"].map(renderCost)).toEqual(
    Array(5).fill(READ_COSTS.page),
  );
  expect(["/search", "/ja/search", "/mobile/search-results"].map(renderCost)).toEqual(
    Array(3).fill(READ_COSTS.search),
  );
  expect(["/admin/product-image/1", "/api/v1/admin/product-image/1"].map(renderCost)).toEqual(
    Array(2).fill(READ_COSTS.picture),
  );
  // Only the calls declare their cost, so nothing else that Next answers is free.
  expect(
    ["/dev", "/dev/mailbox", "/dev/mailbox/7", "/zh/dev", "/api", "/api/v2/none"].map(renderCost),
  ).toEqual(Array(6).fill(READ_COSTS.page));
  expect(["/api/v1/cart/list", "/dev/mailbox.json"].map(renderCost)).toEqual([0, 0]);
});
