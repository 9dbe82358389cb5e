import { afterEach, expect, it, vi } from "vitest";
import { coalesce } from "@/lib/platform/api/coalesce";

afterEach(() => vi.useRealTimers());

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A read that takes its value when it begins and returns it when `finish` is called. */
function createRead(value = "first") {
  const waiting: (() => void)[] = [];
  const state = { value, reads: 0 };
  const read = async () => {
    state.reads++;
    const readValue = state.value;
    await new Promise<void>((resolve) => waiting.push(resolve));
    return readValue;
  };
  return { state, read, finish: () => waiting.shift()?.() };
}

it("callers that arrive during a read share the next one", async () => {
  const { state, read, finish } = createRead();
  const first = coalesce("one", read);
  state.value = "second";
  const later = Array.from({ length: 9 }, () => coalesce("one", read));
  finish();
  expect(await first).toBe("first");
  await nextTurn();
  finish();
  expect(await Promise.all(later)).toEqual(Array(9).fill("second"));
  expect(state.reads).toBe(2);
});

it("a result is not cached", async () => {
  const { state, read, finish } = createRead();
  for (const value of ["first", "second", "third"]) {
    state.value = value;
    const result = coalesce("two", read);
    finish();
    expect(await result).toBe(value);
    await nextTurn();
  }
  expect(state.reads).toBe(3);
});

it("reads with other keys do not wait", async () => {
  const slow = createRead();
  const quick = createRead("quick");
  const [pending, result] = [coalesce("slow", slow.read), coalesce("quick", quick.read)];
  quick.finish();
  expect(await result).toBe("quick");
  slow.finish();
  expect(await pending).toBe("first");
});

it("a failure reaches only the callers that share it", async () => {
  const fails = async () => Promise.reject(new Error("broken"));
  const calls = [coalesce("three", fails), coalesce("three", fails), coalesce("three", fails)];
  for (const call of calls) await expect(call).rejects.toThrow("broken");
  await nextTurn();
  expect(await coalesce("three", async () => "whole")).toBe("whole");
});

it("callers do not wait for a read that does not end", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const pending = coalesce("four", () => new Promise(() => {}));
  void pending;
  vi.advanceTimersByTime(3_000);
  expect(await coalesce("four", async () => "whole")).toBe("whole");
});
