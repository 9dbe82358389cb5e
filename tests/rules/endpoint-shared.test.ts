import { afterEach, expect, it, vi } from "vitest";
import { coalesce } from "@/lib/platform/api/coalesce";

afterEach(() => vi.useRealTimers());

const turn = () => new Promise<void>((done) => setImmediate(done));

/** An answer that reads a value when it begins and gives it when it is let go. */
function source(value = "first") {
  const waiting: (() => void)[] = [];
  const state = { value, made: 0 };
  const make = async () => {
    state.made++;
    const read = state.value;
    await new Promise<void>((done) => waiting.push(done));
    return read;
  };
  return { state, make, letGo: () => waiting.shift()?.() };
}

it("who asks while an answer is made gets the next one, made once for all of them", async () => {
  const { state, make, letGo } = source();
  const first = coalesce("one", make);
  state.value = "second";
  const later = Array.from({ length: 9 }, () => coalesce("one", make));
  letGo();
  expect(await first).toBe("first");
  await turn();
  letGo();
  expect(await Promise.all(later)).toEqual(Array(9).fill("second"));
  expect(state.made).toBe(2);
});

it("what was answered is not kept", async () => {
  const { state, make, letGo } = source();
  for (const value of ["first", "second", "third"]) {
    state.value = value;
    const answer = coalesce("two", make);
    letGo();
    expect(await answer).toBe(value);
    await turn();
  }
  expect(state.made).toBe(3);
});

it("other questions do not wait", async () => {
  const slow = source();
  const quick = source("quick");
  const [waits, answer] = [coalesce("slow", slow.make), coalesce("quick", quick.make)];
  quick.letGo();
  expect(await answer).toBe("quick");
  slow.letGo();
  expect(await waits).toBe("first");
});

it("a failure is told to those who share it, and to nobody after them", async () => {
  const fails = async () => Promise.reject(new Error("broken"));
  const asked = [coalesce("three", fails), coalesce("three", fails), coalesce("three", fails)];
  for (const one of asked) await expect(one).rejects.toThrow("broken");
  await turn();
  expect(await coalesce("three", async () => "whole")).toBe("whole");
});

it("nobody waits behind an answer that does not come", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const never = coalesce("four", () => new Promise(() => {}));
  void never;
  vi.advanceTimersByTime(3_000);
  expect(await coalesce("four", async () => "whole")).toBe("whole");
});
