import { expect, it } from "vitest";
import { startExpensiveWork, takePoints } from "@/lib/platform/expensive-work";

const GREEDY = "203.0.113.1";
const OTHER = "198.51.100.7";

/** Requests work for an address: whether it has started, and the function that ends it. */
function ask(ip: string) {
  const work = { started: false, end: () => {} };
  const starting = startExpensiveWork(ip).then((end) => {
    work.started = true;
    work.end = end;
  });
  return Object.assign(work, { starting });
}

it("the waiting address group with the fewest requests is next, so that one group cannot starve the others", async () => {
  for (let n = 0; n < 30; n++) await takePoints(GREEDY, 1);
  const running = Array.from({ length: 4 }, () => ask(GREEDY));
  await Promise.all(running.map(({ starting }) => starting));
  const waiting = Array.from({ length: 64 }, () => ask(GREEDY));
  await expect(startExpensiveWork(GREEDY)).rejects.toMatchObject({ error: "unavailable" });
  const other = ask(OTHER);
  const late = ask(OTHER);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([other.started, late.started]).toEqual([false, false]);
  running[0]!.end();
  await other.starting;
  expect([late.started, ...waiting.map(({ started }) => started)]).not.toContain(true);
  other.end();
  await late.starting;
  late.end();
  for (const work of [...running.slice(1), ...waiting]) {
    await work.starting;
    work.end();
  }
});

it("address groups with few requests are served in the order in which they came, so that many new ones starve nobody", async () => {
  const shopper = "192.0.2.1";
  for (let n = 0; n < 5; n++) await takePoints(shopper, 1);
  const running = Array.from({ length: 4 }, (_, n) => ask(`198.18.${n}.1`));
  await Promise.all(running.map(({ starting }) => starting));
  const before = ask("198.18.10.1");
  await new Promise((resolve) => setTimeout(resolve, 20));
  const asked = ask(shopper);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const after = Array.from({ length: 10 }, (_, n) => ask(`198.18.${20 + n}.1`));
  await new Promise((resolve) => setTimeout(resolve, 20));
  for (const work of running.slice(0, 2)) work.end();
  await Promise.all([before.starting, asked.starting]);
  expect(after.map(({ started }) => started)).not.toContain(true);
  for (const work of [...running.slice(2), before, asked, ...after]) {
    await work.starting;
    work.end();
  }
});
