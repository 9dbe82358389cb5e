import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DatabaseMonitor } from "@/db/monitor";
import { DatabaseDownError, isDatabaseFailure } from "@/lib/platform/database-failure";

// Vitest's clock does not reach these timers.
vi.mock("node:timers/promises", async (load) => ({
  ...(await load<typeof import("node:timers/promises")>()),
  setTimeout: (ms: number, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms, value);
      signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
}));

let monitor: DatabaseMonitor;
afterEach(() => monitor?.stop());

/** A database whose probes take `answerMs`; `connects` tells whether new connections succeed. */
function createDatabase() {
  const database = { answerMs: 1, connects: true, lose: () => {} };
  const connect = async (onLost: () => void) => {
    if (!database.connects) throw new Error("refused");
    database.lose = onLost;
    return { send: () => wait(database.answerMs, false, { ref: false }), close: () => {} };
  };
  return { database, connect };
}

/** Advances the clock until a condition holds. Returns the milliseconds. */
const timeUntil = async (condition: () => boolean, limitMs = 20_000) => {
  const startedAt = performance.now();
  while (!condition()) {
    if (performance.now() - startedAt > limitMs) throw new Error("never");
    await vi.advanceTimersByTimeAsync(5);
  }
  return performance.now() - startedAt;
};

describe("DatabaseMonitor", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("reports a frozen database within 2.6 s, and its return with the callbacks first", async () => {
    const { database, connect } = createDatabase();
    monitor = DatabaseMonitor.start(connect);
    await vi.advanceTimersByTimeAsync(700);
    expect(monitor.isDown()).toBe(false);
    const events: string[] = [];
    monitor.onDown(() => events.push(`down ${monitor.isDown()}`));
    monitor.onUp(() => events.push(`up ${monitor.isDown()}`));
    database.answerMs = 60_000;
    const work = monitor.whileUp(() => new Promise(() => {})).catch((error: unknown) => error);
    expect(await timeUntil(() => monitor.isDown())).toBeLessThan(2_600);
    expect(await work).toBeInstanceOf(DatabaseDownError);
    await expect(monitor.whileUp(async () => 1)).rejects.toThrow(DatabaseDownError);
    expect(monitor.failingFor()).toBeGreaterThan(0);
    database.answerMs = 1;
    expect(await timeUntil(() => !monitor.isDown())).toBeLessThan(2_600);
    expect(events).toEqual(["down true", "up true"]);
    expect(await monitor.whileUp(async () => 1)).toBe(1);
  });

  it("says when the database has answered, or fails instead", async () => {
    const { database, connect } = createDatabase();
    monitor = DatabaseMonitor.start(connect);
    await vi.advanceTimersByTimeAsync(700);
    let answers = 0;
    const ask = () => void monitor.answered().then(() => answers++);
    ask();
    await vi.advanceTimersByTimeAsync(20);
    expect(answers).toBe(1);
    database.answerMs = 60_000;
    await vi.advanceTimersByTimeAsync(600);
    ask();
    await vi.advanceTimersByTimeAsync(500);
    expect([answers, monitor.isDown()]).toEqual([1, false]);
    await timeUntil(() => answers === 2);
    expect(monitor.isDown()).toBe(true);
  });

  it("counts a database that answers after 600 ms as down", async () => {
    const { database, connect } = createDatabase();
    monitor = DatabaseMonitor.start(connect);
    await vi.advanceTimersByTimeAsync(200);
    database.answerMs = 600;
    await timeUntil(() => monitor.isDown());
    database.answerMs = 100;
    await timeUntil(() => !monitor.isDown());
  });

  it("fails as soon as its connection breaks, and is down when two connections are refused", async () => {
    const { database, connect } = createDatabase();
    monitor = DatabaseMonitor.start(connect);
    let ups = 0;
    monitor.onUp(() => {
      ups += 1;
    });
    await vi.advanceTimersByTimeAsync(200);
    database.lose();
    expect([monitor.isFailing(), monitor.isDown()]).toEqual([true, false]);
    await timeUntil(() => !monitor.isFailing());
    expect(ups).toBe(1);
    database.connects = false;
    database.lose();
    expect(await timeUntil(() => monitor.isDown())).toBeLessThan(1_400);
    database.connects = true;
    await timeUntil(() => !monitor.isDown());
    expect(ups).toBe(2);
  });
});

describe("DatabaseMonitor of a busy process", () => {
  it("does not count the time in which this process was busy", async () => {
    const { connect } = createDatabase();
    monitor = DatabaseMonitor.start(connect);
    let downs = 0;
    monitor.onDown(() => {
      downs += 1;
    });
    for (let round = 0; round < 2; round += 1) {
      await wait(300);
      for (const end = performance.now() + 2_500; performance.now() < end; ) {
        // blocks the event loop
      }
    }
    await wait(300);
    expect(downs).toBe(0);
  });

  it("counts a probe as answered if this process was too busy to read the answer", async () => {
    let [connects, closes, lose] = [0, 0, () => {}];
    // The answer is there before the process is busy, and read afterwards, when the timers have run.
    const send = async () => {
      await nextTurn();
      for (const end = performance.now() + 2_200; performance.now() < end; ) {
        // blocks the event loop
      }
      await nextTurn();
      return false;
    };
    monitor = DatabaseMonitor.start(async (onLost) => {
      connects += 1;
      lose = onLost;
      return { send: connects === 1 ? async () => false : send, close: () => (closes += 1) };
    });
    await wait(100);
    lose();
    expect(monitor.isFailing()).toBe(true);
    await expect.poll(() => monitor.isFailing()).toBe(false);
    expect([connects, closes]).toEqual([2, 0]);
  });
});

describe("isDatabaseFailure", () => {
  const withCode = (code: string) => Object.assign(new Error("x"), { code });
  it.each([
    "08006",
    "53100",
    "53300",
    "55P03",
    "57014",
    "57P01",
    "57P03",
    "CONNECTION_CLOSED",
    "CONNECT_TIMEOUT",
  ])("accepts %s, even as a cause", (code) => {
    expect(isDatabaseFailure(withCode(code))).toBe(true);
    expect(isDatabaseFailure(new Error("outer", { cause: withCode(code) }))).toBe(true);
  });
  it("accepts a connection without an error code, closed by a proxy without a primary", () => {
    expect(isDatabaseFailure(new Error("Connection terminated unexpectedly"))).toBe(true);
  });
  it.each(["23505", "42P01", "22P02", "40P01", "ENOENT"])("rejects %s", (code) => {
    expect(isDatabaseFailure(withCode(code))).toBe(false);
  });
});
