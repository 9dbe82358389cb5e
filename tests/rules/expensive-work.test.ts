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

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

it("busy address groups wait in a line of their own, where the one with the fewest requests is next", async () => {
  for (let n = 0; n < 50; n++) await takePoints(GREEDY, 1);
  for (let n = 0; n < 30; n++) await takePoints(OTHER, 1);
  const running = ask(GREEDY);
  await running.starting;
  const waiting = Array.from({ length: 63 }, () => ask(GREEDY));
  await pause();
  const other = ask(OTHER);
  await pause();
  await expect(startExpensiveWork(GREEDY)).rejects.toMatchObject({ error: "unavailable" });
  const shopper = ask("192.0.2.9");
  await shopper.starting;
  shopper.end();
  running.end();
  await other.starting;
  expect(waiting.map(({ started }) => started)).not.toContain(true);
  for (const work of [other, ...waiting]) {
    await work.starting;
    work.end();
  }
});

it("address groups with few requests are served in the order in which they came, so that many new ones starve nobody", async () => {
  const shopper = "192.0.2.1";
  for (let n = 0; n < 5; n++) await takePoints(shopper, 1);
  const running = Array.from({ length: 2 }, (_, n) => ask(`198.18.${n}.1`));
  await Promise.all(running.map(({ starting }) => starting));
  const before = ask("198.18.10.1");
  await pause();
  const asked = ask(shopper);
  await pause();
  const after = Array.from({ length: 10 }, (_, n) => ask(`198.18.${20 + n}.1`));
  await pause();
  for (const work of running) work.end();
  await Promise.all([before.starting, asked.starting]);
  expect(after.map(({ started }) => started)).not.toContain(true);
  for (const work of [before, asked, ...after]) {
    await work.starting;
    work.end();
  }
});
