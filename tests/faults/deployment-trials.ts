import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { client, db } from "@/db/client";
import { ERRORS } from "@/lib/platform/errors";
import { auditSale } from "./audit";
import { controlOf } from "./run-broken-variant";
import type { Trouble } from "./proxy";
import { type Shopper, type ShopperResponse, seeded, sleep } from "./shopper";
import type { Stand } from "./deployment";
import {
  buy,
  checkServed,
  newSales,
  type Plan,
  payAt,
  planOf,
  type Sale,
  shiftClock,
  untilAtRest,
} from "./deployment-sales";
import { type Line, lineOf } from "./table";

/** What a trial of the stand is given: how much, and from which seed. */
export type TrialOptions = { stand: Stand; seed: number; n: number };

const IN_PROGRESS = ERRORS.idempotency_in_progress.code;

/** Rivals outside the shop that take keys, hold them for a while and roll back, as a process does that fails. */
function failingRivals(planId: number, count: number, keysEach: number, holdMs: number): Promise<unknown> {
  const fail = (tx: { unsafe(text: string): Promise<unknown> }) =>
    tx
      .unsafe(
        `select id from keys where plan_id = ${planId} and state = 'available' limit ${keysEach} for update skip locked`,
      )
      .then(() => sleep(holdMs))
      .then(() => Promise.reject(new Error("rolled back")));
  return Promise.all(
    Array.from({ length: count }, () =>
      client()
        .begin(fail)
        .catch(() => {}),
    ),
  );
}

/** As the storefront's button: one idempotency key for a press, however often the request breaks off; a crowd gives it time. */
async function press(shopper: Shopper, path: string, body: object): Promise<ShopperResponse> {
  const headers = { "idempotency-key": randomUUID() };
  for (let attempt = 1; ; attempt++) {
    const response = await shopper(path, body, headers);
    if (response.status !== 0 && response.status < 500 && response.code !== IN_PROGRESS) return response;
    await sleep(Math.min(5000, 300 * attempt) * (0.5 + Math.random()));
  }
}

async function order(shopper: Shopper, { productId, id }: Plan): Promise<ShopperResponse> {
  const added = await press(shopper, "/cart/add", { product_id: productId, vip_id: id, quantity: 1 });
  if (added.code !== "200" || added.data.order_id) return added;
  return press(shopper, "/order/create", {});
}

/** n buyers want n − held keys that rivals touch and let go: all keys are sold, nobody hears "sold out" falsely. */
export const rush = ({ stand, seed, n }: TrialOptions): Promise<Line> =>
  lineOf(
    {
      invariant: "One key, one line",
      trial: `${n} buyers on ${n} keys at once, rivals roll back`,
      seed,
    },
    async (line) => {
      const plan = await planOf(n);
      const sales = await newSales(stand, n, plan);
      const rivals = failingRivals(plan.id, 4, Math.ceil(n / 20), 1500);
      await sleep(100);
      const response = await Promise.all(sales.map(({ shopper }) => order(shopper, plan)));
      await rivals;
      line.trials = n;
      const refused = response.filter(({ code }) => code !== "200");
      for (const { code } of refused)
        line.violations.push(`a buyer was refused (${code}) though there is a key for each`);
      const [held] = await db.execute<{ n: number }>(
        sql`select count(distinct order_line_id)::int as n from keys where plan_id = ${plan.id} and state = 'reserved'`,
      );
      if (held?.n !== n) line.violations.push(`${held?.n} of ${n} keys are held`);
      line.violations.push(...(await auditSale()));
      const began = performance.now();
      await Promise.all(sales.map((sale) => buy(stand, sale)));
      await untilAtRest(300);
      line.heals.push(performance.now() - began);
      line.violations.push(...(await checkServed(stand, sales)));
      line.control = await controlOf("allocator");
    },
  );

const CROWD = 200;

/** Again and again 200 buyers want 200 keys, of which rivals hold 80 and let them go, as soon as some and as late as others. */
export const rollbacks = ({ stand, seed, n }: TrialOptions): Promise<Line> =>
  lineOf(
    {
      invariant: "No false sold-out while rivals roll back",
      trial: `one of ${CROWD} buyers at once on ${CROWD} keys, 80 of them held by rivals who fail`,
      seed,
    },
    async (line) => {
      const random = seeded(seed + 5);
      const crowd = Math.min(CROWD, n);
      const sales = await newSales(stand, crowd, await planOf(0));
      while (line.trials < n) {
        const plan = await planOf(crowd);
        const rivals = Array.from({ length: 4 }, () =>
          failingRivals(plan.id, 1, crowd / 10, 300 + random() * 1500),
        );
        await sleep(50);
        const response = await Promise.all(sales.map(({ shopper }) => order(shopper, plan)));
        await Promise.all(rivals);
        line.trials += crowd;
        const refused = response.filter(({ code }) => code !== "200").length;
        if (refused > 0)
          line.violations.push(`${refused} of ${crowd} were refused though there is a key for each`);
        await Promise.all(
          response.map(
            (one, at) =>
              one.data?.order_id && sales[at]!.shopper("/order/cancel", { order_id: one.data.order_id }),
          ),
        );
      }
      line.violations.push(...(await auditSale()));
      line.control = await controlOf("skip-locked");
    },
  );

/** Sales under some trouble, which begin within `spreadMs`; afterwards all are served and everything is at rest. */
export async function underTrouble(
  { stand, n }: TrialOptions,
  line: Line,
  random: () => number,
  trouble: () => Promise<void>,
  spreadMs = 0,
): Promise<Sale[]> {
  const sales = await newSales(stand, n, await planOf(n + 5), random);
  const buying = sales.map((sale) => sleep(random() * spreadMs).then(() => buy(stand, sale)));
  await trouble();
  const ended = performance.now();
  await Promise.all(buying);
  await untilAtRest(150);
  line.heals.push(performance.now() - ended);
  line.violations.push(...(await checkServed(stand, sales)));
  return sales;
}

/** A dependency's network goes wrong for a while, under sales. */
export const networkTrouble = (
  options: TrialOptions,
  which: "database" | "provider" | "mail",
  kinds: Trouble[],
  ms: number,
): Promise<Line> =>
  lineOf(
    {
      invariant: `Trouble on the way to ${which === "database" ? "Postgres" : `the ${which}${which === "mail" ? " provider" : ""}`} loses nothing`,
      trial: `${kinds.join(", ")}, ${ms / 1000} s each, under sales`,
      seed: options.seed,
    },
    async (line) => {
      const random = seeded(options.seed + 2);
      for (const kind of kinds) {
        await underTrouble(options, line, random, async () => {
          await sleep(random() * 400);
          options.stand.proxies[which].set(kind);
          await sleep(ms);
          options.stand.proxies[which].set("none");
        });
        line.trials += options.n;
      }
    },
  );

/** No webhook arrives at all: the sweeper finds every payment. */
export const webhooksLost = (options: TrialOptions): Promise<Line> =>
  lineOf(
    {
      invariant: "Losing every webhook only delays",
      trial: "a sale whose webhook events are all lost",
      seed: options.seed,
    },
    async (line) => {
      const { stand, n } = options;
      await stand.atProvider("drop-events");
      const plan = await planOf(n);
      const sales = await newSales(stand, n, plan);
      for (const { shopper } of sales) {
        const placed = await order(shopper, plan);
        await payAt(stand, shopper, placed.data.order_id);
      }
      const before = await db.execute(sql`select 1 from orders o join order_lines l on l.order_id = o.id
        where l.plan_id = ${plan.id} and o.paid_at is not null`);
      if (before.length > 0) line.violations.push("an event arrived although all are dropped");
      await shiftClock("3 minutes");
      const began = performance.now();
      const done = new Set<number>();
      while (done.size < n && performance.now() - began < 600_000) {
        for (const [at, { shopper }] of sales.entries()) {
          if (done.has(at)) continue;
          const response = await shopper("/order/list");
          if (response.data?.orders?.[0]?.status !== "completed") continue;
          done.add(at);
          line.heals.push(performance.now() - began);
        }
        await sleep(200);
      }
      line.trials = n;
      if (done.size < n) line.violations.push(`${n - done.size} of ${n} were not served`);
      await stand.atProvider("clear");
      await untilAtRest(120);
      line.violations.push(...(await checkServed(stand, sales)));
    },
  );

/** Mail is away for 30 simulated minutes: the library has every key meanwhile, and every mail comes afterwards, once. */
export const mailOutage = (options: TrialOptions, minutes: number): Promise<Line> =>
  lineOf(
    {
      invariant: "Every assignment is mailed; mail = page = table",
      trial: `a sale while mail is away for ${minutes} simulated minutes`,
      seed: options.seed,
    },
    async (line) => {
      const { stand, n } = options;
      stand.proxies.mail.set("reset");
      const sales = await newSales(stand, n, await planOf(n));
      await Promise.all(sales.map((sale) => buy(stand, sale)));
      for (let minute = 0; minute < minutes; minute++) {
        await shiftClock("1 minute");
        await sleep(150);
      }
      // The library does not wait for the email; a busy machine may need time to assign keys.
      const until = performance.now() + 240_000;
      for (const { shopper, user } of sales) {
        let seen = false;
        while (!seen && performance.now() < until) {
          seen = (await shopper("/library")).data?.total === 1;
          if (!seen) await sleep(500);
        }
        if (!seen) line.violations.push(`${user.email} does not see the key while mail is away`);
      }
      stand.proxies.mail.set("none");
      const back = performance.now();
      await shiftClock("6 minutes");
      await untilAtRest(240);
      line.heals.push(performance.now() - back);
      line.trials = n;
      line.violations.push(...(await checkServed(stand, sales)));
    },
  );

/** One instance and one worker whose own clocks are wrong: what counts is the database's. */
export const skewedClocks = (options: TrialOptions): Promise<Line> =>
  lineOf(
    {
      invariant: "Skewed clocks change nothing",
      trial: "a sale with one instance 4 min ahead, one worker 4 min behind",
      seed: options.seed,
    },
    async (line) => {
      const { apps, workers } = options.stand;
      const [app, worker] = [apps[0]!, workers[0]!];
      await Promise.all([app.kill(), worker.kill()]);
      await app.start({ SKEW_MS: "240000" }, "./tests/faults/skew.mjs");
      await worker.start({ SKEW_MS: "-240000" }, "./tests/faults/skew.mjs");
      await underTrouble(options, line, seeded(options.seed + 3), async () => {});
      line.trials = options.n;
      await Promise.all([app.kill(), worker.kill()]);
      await Promise.all([app.start(), worker.start()]);
    },
  );
