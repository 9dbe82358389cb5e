import { afterEach, beforeEach, expect, it, vi } from "vitest";

const NOON = Date.UTC(2026, 10, 22, 12);
const header = (ms: number) => new Date(ms).toUTCString();
let clock: typeof import("@/components/ui/server-clock");
beforeEach(async () => {
  vi.useFakeTimers({ now: NOON });
  vi.resetModules(); // a clock belongs to one page
  clock = await import("@/components/ui/server-clock");
});
afterEach(() => {
  vi.useRealTimers();
});

it("the server clock is the local clock before a response", () => {
  expect(clock.hasServerClock()).toBe(false);
  expect(clock.serverNow()).toBe(NOON);
  clock.setServerClock(null);
  clock.setServerClock("no date");
  expect(clock.hasServerClock()).toBe(false);
});

it("estimateServerClock applies once, because a remounted component has an old time", () => {
  clock.estimateServerClock(NOON + 60_000);
  expect(clock.hasServerClock()).toBe(true);
  vi.advanceTimersByTime(9_000);
  clock.estimateServerClock(NOON + 60_000);
  expect(clock.serverNow()).toBe(NOON + 69_000);
});

it("a response header takes precedence over the time of the page", () => {
  clock.estimateServerClock(NOON + 60_000);
  clock.setServerClock(header(NOON + 64_000));
  expect(clock.serverNow()).toBe(NOON + 64_000);
  clock.estimateServerClock(NOON);
  expect(clock.serverNow()).toBe(NOON + 64_000);
});

it("the server clock is steady although headers have whole seconds only", () => {
  clock.setServerClock(header(NOON + 5_000));
  const offsets: number[] = [];
  for (let round = 0; round < 20; round++) {
    vi.advanceTimersByTime(700);
    clock.setServerClock(header(Date.now() + 5_000));
    offsets.push(clock.serverNow() - Date.now());
  }
  expect(new Set(offsets)).toEqual(new Set([5_000]));
});

it("the server clock follows a change of the local clock", () => {
  clock.setServerClock(header(NOON));
  vi.setSystemTime(NOON - 3_600_000);
  clock.setServerClock(header(NOON));
  expect(clock.serverNow()).toBe(NOON);
});
