import { setTimeout as sleep } from "node:timers/promises";
import { client } from "@/db/client";
import type { SignedInUser } from "@/db/factories/accounts";
import { auditSale } from "@/tests/faults/audit";
import { shopperAt } from "@/tests/faults/shopper";
import type { Part, Stand } from "./context";
import { cpuMicros, type Started } from "./processes";
import { WARM_UPS } from "./rounds";
import { rateOf, shoppers, stockedProduct } from "./server-orders";
import { type BenchLine, median } from "./table";

const BAR = 50;
const AT_ONCE = 16;
const BUYERS = 200;
/** Number of buyers without a key; they must be rejected as sold out. */
const TOO_MANY = 20;

type Outcome = "paid" | "sold_out";

/** Places an order, opens its payment and pays in the sandbox, as a browser does. */
async function checkout(address: string, user: SignedInUser): Promise<Outcome> {
  const call = shopperAt(address, user);
  const must = async (path: string, body: object) => {
    const said = await call(path, body);
    if (said.code !== "200") throw new Error(`${path} responded ${said.status} ${said.code}`);
    return said.data;
  };
  const made = await call("/order/create", {});
  if (made.status === 409) return "sold_out";
  if (made.code !== "200") throw new Error(`/order/create responded ${made.status} ${made.code}`);
  const { client_secret } = await must("/payment/stripe/create-payment-intent", {
    order_id: made.data.order_id,
  });
  await must("/payment/sandbox/confirm", { client_secret, outcome: "succeeded" });
  return "paid";
}

/** Waits until `count` keys of a plan are assigned; returns the time of that. */
async function untilAssigned(planId: number, count: number): Promise<number> {
  for (const end = Date.now() + 300_000; Date.now() < end; await sleep(50)) {
    const [row] = await client()<{ n: number }[]>`
      select count(*)::int as n from keys where plan_id = ${planId} and state = 'assigned'`;
    if (row?.n === count) return performance.now();
  }
  throw new Error(`Not all of ${count} keys were assigned within five minutes.`);
}

/** Waits until the queue is empty, emails included; throws when an email failed. */
async function untilQuiet(): Promise<void> {
  for (const end = Date.now() + 300_000; ; await sleep(100)) {
    const [row] = await client()<{ due: number; failed: number }[]>`
      select (select count(*)::int from graphile_worker.jobs where run_at <= now()) as due,
        (select count(*)::int from mails where attempts > 0) as failed`;
    if (row?.failed) throw new Error(`${row.failed} emails failed; see the worker log.`);
    if (row?.due === 0) return;
    if (Date.now() > end) throw new Error("The queue was not empty within five minutes.");
  }
}

/** Measures concurrent checkouts over HTTP until the last key is assigned, with more buyers than keys. */
export const wholeCheckout: Part = async (stand) => {
  const worker = stand.startWorker();
  try {
    return [await measure(stand, worker)];
  } finally {
    await worker.stop();
  }
};

async function measure({ shop, rounds }: Stand, worker: Started): Promise<BenchLine> {
  const rates: number[] = [];
  const costs: number[] = [];
  const address = `http://localhost:${shop.port}`;
  const used = () => cpuMicros(shop.process.pid) + cpuMicros(worker.process.pid);
  for (let round = -WARM_UPS; round < rounds; round++) {
    const { planId } = await stockedProduct(BUYERS);
    const users = await shoppers(BUYERS + TOO_MANY, [planId]);
    const outcomes: Outcome[] = [];
    const works = users.map((user) => async () => void outcomes.push(await checkout(address, user)));
    const before = used();
    const began = performance.now();
    const ended = untilAssigned(planId, BUYERS);
    await rateOf(works, AT_ONCE);
    const seconds = ((await ended) - began) / 1000;
    await untilQuiet();
    const cost = (used() - before) / 1000 / BUYERS;
    if (round >= 0) {
      rates.push(BUYERS / seconds);
      costs.push(cost);
    }
    const refused = outcomes.filter((outcome) => outcome === "sold_out").length;
    if (refused !== TOO_MANY) throw new Error(`${refused} buyers were rejected instead of ${TOO_MANY}.`);
  }
  const broken = await auditSale();
  if (broken.length > 0) throw new Error(`After the checkouts:\n${broken.join("\n")}`);
  const rate = median(rates);
  return {
    what: `Checkout over HTTP, create → keys assigned, ${AT_ONCE} buyers at once, ${TOO_MANY} of ${BUYERS + TOO_MANY} too many (audited)`,
    ours: `${rate.toFixed(0)} orders/s, ${median(costs).toFixed(1)} ms CPU of the shop and its worker each, mails included`,
    yardstick: "Medusa 1–2 orders/s",
    bar: `≥ ${BAR} orders/s, no oversell`,
    holds: rate >= BAR,
  };
}
