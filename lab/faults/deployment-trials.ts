import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { db, pool } from "@/db/client";
import { ERRORS } from "@/lib/platform/errors";
import { auditSale } from "@/tests/setup/audit";
import type { NetworkFault } from "@/tests/setup/proxy";
import { type Shopper, type ShopperResponse, seeded, sleep } from "@/tests/setup/shopper";
import type { Deployment } from "./deployment";
import {
  buy,
  createPlan,
  createSales,
  findUnservedSales,
  openAndPay,
  type Plan,
  type Sale,
  shiftClock,
  waitUntilIdle,
} from "./deployment-sales";
import { runBrokenVariant } from "./run-broken-variant";
import { runTrial, type TrialResult } from "./table";

/** The deployment, the seed and the size (`n`) of a trial. */
export type TrialOptions = { deployment: Deployment; seed: number; n: number };

const IN_PROGRESS = ERRORS.idempotency_in_progress.code;

/** Transactions of other processes that lock keys, hold them for a while and roll back. */
function lockKeysAndRollBack(
  planId: number,
  count: number,
  keysEach: number,
  holdMs: number,
): Promise<unknown> {
  const fail = (tx: { unsafe(text: string): Promise<unknown> }) =>
    tx
      .unsafe(
        `select id from keys where plan_id = ${planId} and state = 'available' limit ${keysEach} for update skip locked`,
      )
      .then(() => sleep(holdMs))
      .then(() => Promise.reject(new Error("rolled back")));
  return Promise.all(
    Array.from({ length: count }, () =>
      pool()
        .begin(fail)
        .catch(() => {}),
    ),
  );
}

/** Sends a request like a button of the storefront: all retries use one idempotency key, with growing pauses. */
async function clickButton(shopper: Shopper, path: string, body: object): Promise<ShopperResponse> {
  const headers = { "idempotency-key": randomUUID() };
  for (let attempt = 1; ; attempt++) {
    const response = await shopper(path, body, headers);
    if (response.status !== 0 && response.status < 500 && response.code !== IN_PROGRESS) return response;
    await sleep(Math.min(5000, 300 * attempt) * (0.5 + Math.random()));
  }
}

async function order(shopper: Shopper, { productId, id }: Plan): Promise<ShopperResponse> {
  const added = await clickButton(shopper, "/cart/add", { product_id: productId, vip_id: id, quantity: 1 });
  if (added.code !== "200" || added.data.order_id) return added;
  return clickButton(shopper, "/order/create", {});
}

/** n buyers order n keys while other transactions lock some and roll back: all keys are sold, and no buyer is rejected. */
export const rush = ({ deployment, seed, n }: TrialOptions): Promise<TrialResult> =>
  runTrial(
    {
      invariant: "A key belongs to one order line",
      trial: `${n} buyers on ${n} keys at once while other transactions roll back`,
      seed,
    },
    async (result) => {
      const plan = await createPlan(n);
      const sales = await createSales(deployment, n, plan);
      const otherTransactions = lockKeysAndRollBack(plan.id, 4, Math.ceil(n / 20), 1500);
      await sleep(100);
      const responses = await Promise.all(sales.map(({ shopper }) => order(shopper, plan)));
      await otherTransactions;
      result.trials = n;
      const rejected = responses.filter(({ code }) => code !== "200");
      for (const { code } of rejected)
        result.violations.push(`a buyer was rejected (${code}) although there is a key for each`);
      const [reserved] = await db.execute<{ n: number }>(
        sql`select count(distinct order_line_id)::int as n from keys where plan_id = ${plan.id} and state = 'reserved'`,
      );
      if (reserved?.n !== n) result.violations.push(`${reserved?.n} of ${n} keys are reserved`);
      result.violations.push(...(await auditSale()));
      const start = performance.now();
      await Promise.all(sales.map((sale) => buy(deployment, sale)));
      await waitUntilIdle(300);
      result.recoveryMs.push(performance.now() - start);
      result.violations.push(...(await findUnservedSales(deployment, sales)));
      result.brokenVariant = await runBrokenVariant("allocator");
    },
  );

const BUYERS = 200;

/** Repeatedly, 200 buyers order 200 keys while other transactions hold 80 of them for different times and roll back. */
export const rollbacks = ({ deployment, seed, n }: TrialOptions): Promise<TrialResult> =>
  runTrial(
    {
      invariant: "No false sold-out while other transactions roll back",
      trial: `one of ${BUYERS} buyers at once on ${BUYERS} keys, 80 of them locked by transactions that roll back`,
      seed,
    },
    async (result) => {
      const random = seeded(seed + 5);
      const buyers = Math.min(BUYERS, n);
      while (result.trials < n) {
        const plan = await createPlan(buyers);
        // Others each time: who leaves several orders unpaid may hold less.
        const sales = await createSales(deployment, buyers, plan);
        const otherTransactions = Array.from({ length: 4 }, () =>
          lockKeysAndRollBack(plan.id, 1, buyers / 10, 300 + random() * 1500),
        );
        await sleep(50);
        const responses = await Promise.all(sales.map(({ shopper }) => order(shopper, plan)));
        await Promise.all(otherTransactions);
        result.trials += buyers;
        const rejected = responses.filter(({ code }) => code !== "200").length;
        if (rejected > 0)
          result.violations.push(`${rejected} of ${buyers} were rejected although there is a key for each`);
        await Promise.all(
          responses.map(
            ({ data }, index) =>
              data?.order_id && sales[index]!.shopper("/order/cancel", { order_id: data.order_id }),
          ),
        );
      }
      result.violations.push(...(await auditSale()));
      result.brokenVariant = await runBrokenVariant("skip-locked");
    },
  );

/** Runs sales that start within `spreadMs` during a fault; afterwards the system is idle and every buyer has a key. */
export async function salesDuringFault(
  { deployment, n }: TrialOptions,
  result: TrialResult,
  random: () => number,
  fault: () => Promise<void>,
  spreadMs = 0,
): Promise<Sale[]> {
  const sales = await createSales(deployment, n, await createPlan(n + 5), random);
  const purchases = sales.map((sale) => sleep(random() * spreadMs).then(() => buy(deployment, sale)));
  await fault();
  const faultEnd = performance.now();
  await Promise.all(purchases);
  await waitUntilIdle(150);
  result.recoveryMs.push(performance.now() - faultEnd);
  result.violations.push(...(await findUnservedSales(deployment, sales)));
  return sales;
}

/** Network faults between the deployment and a dependency during sales. */
export const networkFaults = (
  options: TrialOptions,
  dependency: "database" | "provider" | "mail",
  kinds: NetworkFault[],
  ms: number,
): Promise<TrialResult> =>
  runTrial(
    {
      invariant: `Network faults to ${dependency === "database" ? "Postgres" : `the ${dependency}${dependency === "mail" ? " provider" : ""}`} lose nothing`,
      trial: `${kinds.join(", ")}, ${ms / 1000} s each, during sales`,
      seed: options.seed,
    },
    async (result) => {
      const random = seeded(options.seed + 2);
      for (const kind of kinds) {
        await salesDuringFault(options, result, random, async () => {
          await sleep(random() * 400);
          options.deployment.proxies[dependency].set(kind);
          await sleep(ms);
          options.deployment.proxies[dependency].set("none");
        });
        result.trials += options.n;
      }
    },
  );

/** No webhook event arrives: the sweep finds every payment. */
export const lostWebhooks = (options: TrialOptions): Promise<TrialResult> =>
  runTrial(
    {
      invariant: "Losing every webhook only delays orders",
      trial: "a sale whose webhook events are all lost",
      seed: options.seed,
    },
    async (result) => {
      const { deployment, n } = options;
      await deployment.callProvider("drop-events");
      const plan = await createPlan(n);
      const sales = await createSales(deployment, n, plan);
      for (const { shopper } of sales) {
        const created = await order(shopper, plan);
        await openAndPay(deployment, shopper, created.data.order_id);
      }
      const paid = await db.execute(sql`select 1 from orders o join order_lines l on l.order_id = o.id
        where l.plan_id = ${plan.id} and o.paid_at is not null`);
      if (paid.length > 0) result.violations.push("an event arrived although all are dropped");
      await shiftClock("3 minutes");
      const start = performance.now();
      const completed = new Set<number>();
      while (completed.size < n && performance.now() - start < 600_000) {
        for (const [index, { shopper }] of sales.entries()) {
          if (completed.has(index)) continue;
          const response = await shopper("/order/list");
          if (response.data?.orders?.[0]?.status !== "completed") continue;
          completed.add(index);
          result.recoveryMs.push(performance.now() - start);
        }
        await sleep(200);
      }
      result.trials = n;
      if (completed.size < n) result.violations.push(`${n - completed.size} of ${n} were not delivered`);
      await deployment.callProvider("clear");
      await waitUntilIdle(120);
      result.violations.push(...(await findUnservedSales(deployment, sales)));
    },
  );

/** The mail provider fails for 30 simulated minutes: the library shows every key, and every email arrives afterwards, once. */
export const mailOutage = (options: TrialOptions, minutes: number): Promise<TrialResult> =>
  runTrial(
    {
      invariant: "Every key is mailed once; email, page and table agree",
      trial: `a sale while the mail provider fails for ${minutes} simulated minutes`,
      seed: options.seed,
    },
    async (result) => {
      const { deployment, n } = options;
      deployment.proxies.mail.set("reset");
      const sales = await createSales(deployment, n, await createPlan(n));
      await Promise.all(sales.map((sale) => buy(deployment, sale)));
      for (let minute = 0; minute < minutes; minute++) {
        await shiftClock("1 minute");
        await sleep(150);
      }
      // The library does not wait for the email; a busy machine may need time to assign keys.
      const deadline = performance.now() + 240_000;
      for (const { shopper, user } of sales) {
        let listed = false;
        while (!listed && performance.now() < deadline) {
          listed = (await shopper("/library")).data?.total === 1;
          if (!listed) await sleep(500);
        }
        if (!listed) result.violations.push(`${user.email} does not see the key during the mail outage`);
      }
      deployment.proxies.mail.set("none");
      const outageEnd = performance.now();
      // The first email that is sent again lets the others follow; its attempt may be 50 minutes after the last one.
      await shiftClock("50 minutes");
      await waitUntilIdle(240);
      result.recoveryMs.push(performance.now() - outageEnd);
      result.trials = n;
      result.violations.push(...(await findUnservedSales(deployment, sales)));
    },
  );

/** The clocks of one instance and one worker are wrong; only the clock of the database counts. */
export const skewedClocks = (options: TrialOptions): Promise<TrialResult> =>
  runTrial(
    {
      invariant: "Skewed clocks change nothing",
      trial: "a sale with one instance 4 min ahead, one worker 4 min behind",
      seed: options.seed,
    },
    async (result) => {
      const { apps, workers } = options.deployment;
      const [app, worker] = [apps[0]!, workers[0]!];
      await Promise.all([app.kill(), worker.kill()]);
      await app.start({ SKEW_MS: "240000" }, "./lab/faults/skew.mjs");
      await worker.start({ SKEW_MS: "-240000" }, "./lab/faults/skew.mjs");
      await salesDuringFault(options, result, seeded(options.seed + 3), async () => {});
      result.trials = options.n;
      await Promise.all([app.kill(), worker.kill()]);
      await Promise.all([app.start(), worker.start()]);
    },
  );
