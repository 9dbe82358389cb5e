import { afterEach, expect, it, vi } from "vitest";
import { coalesce } from "@/lib/platform/api/coalesce";

afterEach(() => vi.useRealTimers());

const turn = () => new Promise<void>((done) => setImmediate(done));

/** A read that takes its value when it begins and returns it when `finish` is called. */
function source(value = "first") {
  const waiting: (() => void)[] = [];
  const state = { value, reads: 0 };
  const read = async () => {
    state.reads++;
    const seen = state.value;
    await new Promise<void>((done) => waiting.push(done));
    return seen;
  };
  return { state, read, finish: () => waiting.shift()?.() };
}

it("callers that arrive during a read share the next one", async () => {
  const { state, read, finish } = source();
  const first = coalesce("one", read);
  state.value = "second";
  const later = Array.from({ length: 9 }, () => coalesce("one", read));
  finish();
  expect(await first).toBe("first");
  await turn();
  finish();
  expect(await Promise.all(later)).toEqual(Array(9).fill("second"));
  expect(state.reads).toBe(2);
});

it("a result is not cached", async () => {
  const { state, read, finish } = source();
  for (const value of ["first", "second", "third"]) {
    state.value = value;
    const answer = coalesce("two", read);
    finish();
    expect(await answer).toBe(value);
    await turn();
  }
  expect(state.reads).toBe(3);
});

it("reads with other keys do not wait", async () => {
  const slow = source();
  const quick = source("quick");
  const [waits, answer] = [coalesce("slow", slow.read), coalesce("quick", quick.read)];
  quick.finish();
  expect(await answer).toBe("quick");
  slow.finish();
  expect(await waits).toBe("first");
});

it("a failure reaches only the callers that share it", async () => {
  const fails = async () => Promise.reject(new Error("broken"));
  const asked = [coalesce("three", fails), coalesce("three", fails), coalesce("three", fails)];
  for (const one of asked) await expect(one).rejects.toThrow("broken");
  await turn();
  expect(await coalesce("three", async () => "whole")).toBe("whole");
});

it("callers do not wait for a read that does not end", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const never = coalesce("four", () => new Promise(() => {}));
  void never;
  vi.advanceTimersByTime(3_000);
  expect(await coalesce("four", async () => "whole")).toBe("whole");
});
