import { setTimeout as sleep } from "node:timers/promises";
import { client } from "@/db/client";
import type { SignedInUser } from "@/db/factories/accounts";
import { auditSale } from "@/tests/setup/audit";
import { shopperAt } from "@/tests/setup/shopper";
import type { BenchContext, BenchPart } from "./context";
import { cpuMicros, type StartedProcess } from "./processes";
import { WARM_UPS } from "./rounds";
import { createShoppers, createStockedProduct, measureRate } from "./server-orders";
import { type BenchLine, median } from "./table";

const BAR = 30;
const CONCURRENCY = 16;
const BUYERS = 200;
/** Number of buyers without a key; they must be rejected as sold out. */
const SURPLUS_BUYERS = 20;

type Outcome = "paid" | "sold_out";

/** Places an order, opens its payment and pays in the sandbox, as a browser does. */
async function checkout(address: string, user: SignedInUser): Promise<Outcome> {
  const call = shopperAt(address, user);
  const callOk = async (path: string, body: object) => {
    const response = await call(path, body);
    if (response.code !== "200") throw new Error(`${path} responded ${response.status} ${response.code}`);
    return response.data;
  };
  const order = await call("/order/create", {});
  if (order.status === 409) return "sold_out";
  if (order.code !== "200") throw new Error(`/order/create responded ${order.status} ${order.code}`);
  const { client_secret } = await callOk("/payment/stripe/create-payment-intent", {
    order_id: order.data.order_id,
  });
  await callOk("/payment/sandbox/confirm", { client_secret, outcome: "succeeded" });
  return "paid";
}

/** Waits until `count` keys of a plan are assigned; returns the time of that. */
async function waitUntilAssigned(planId: number, count: number): Promise<number> {
  for (const deadline = Date.now() + 300_000; Date.now() < deadline; await sleep(50)) {
    const [row] = await client()<{ n: number }[]>`
      select count(*)::int as n from keys where plan_id = ${planId} and state = 'assigned'`;
    if (row?.n === count) return performance.now();
  }
  throw new Error(`Not all of ${count} keys were assigned within five minutes.`);
}

/** Waits until the queue is empty, emails included; throws when an email failed. */
async function waitUntilQueueEmpty(): Promise<void> {
  for (const deadline = Date.now() + 300_000; ; await sleep(100)) {
    const [row] = await client()<{ due: number; failed: number }[]>`
      select (select count(*)::int from graphile_worker.jobs where run_at <= now()) as due,
        (select count(*)::int from mails where attempts > 0) as failed`;
    if (row?.failed) throw new Error(`${row.failed} emails failed; see the worker log.`);
    if (row?.due === 0) return;
    if (Date.now() > deadline) throw new Error("The queue was not empty within five minutes.");
  }
}

/** Measures concurrent checkouts over HTTP until the last key is assigned, with more buyers than keys. */
export const checkoutOverHttp: BenchPart = async (context) => {
  const worker = context.startWorker();
  try {
    return [await measure(context, worker)];
  } finally {
    await worker.stop();
  }
};

async function measure({ server, rounds }: BenchContext, worker: StartedProcess): Promise<BenchLine> {
  const rates: number[] = [];
  const costs: number[] = [];
  const address = `http://localhost:${server.port}`;
  const cpuTime = () => cpuMicros(server.process.pid) + cpuMicros(worker.process.pid);
  for (let round = -WARM_UPS; round < rounds; round++) {
    const { planId } = await createStockedProduct(BUYERS);
    const users = await createShoppers(BUYERS + SURPLUS_BUYERS, [planId]);
    const outcomes: Outcome[] = [];
    const tasks = users.map((user) => async () => void outcomes.push(await checkout(address, user)));
    const before = cpuTime();
    const startedAt = performance.now();
    const allAssigned = waitUntilAssigned(planId, BUYERS);
    await measureRate(tasks, CONCURRENCY);
    const seconds = ((await allAssigned) - startedAt) / 1000;
    await waitUntilQueueEmpty();
    const cost = (cpuTime() - before) / 1000 / BUYERS;
    if (round >= 0) {
      rates.push(BUYERS / seconds);
      costs.push(cost);
    }
    const rejected = outcomes.filter((outcome) => outcome === "sold_out").length;
    if (rejected !== SURPLUS_BUYERS)
      throw new Error(`${rejected} buyers were rejected instead of ${SURPLUS_BUYERS}.`);
  }
  const violations = await auditSale();
  if (violations.length > 0) throw new Error(`After the checkouts:\n${violations.join("\n")}`);
  const rate = median(rates);
  return {
    subject: `Checkout over HTTP, create → keys assigned, ${CONCURRENCY} buyers at once, ${SURPLUS_BUYERS} of ${BUYERS + SURPLUS_BUYERS} too many (audited)`,
    ours: `${rate.toFixed(0)} orders/s, ${median(costs).toFixed(1)} ms CPU of the server and its worker each, emails included`,
    yardstick: "Medusa 1–2 orders/s",
    bar: `≥ ${BAR} orders/s, no oversell`,
    holds: rate >= BAR,
  };
}
