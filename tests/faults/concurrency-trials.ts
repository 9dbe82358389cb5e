import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createProduct, type PlanInput } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { cancelOrder, expireOrder } from "@/lib/orders/cancellation/commands";
import { assignPaidOrder } from "@/lib/orders/fulfilment/commands";
import { settlePayment } from "@/lib/orders/payment/commands";
import { requestRefund } from "@/lib/orders/refunds/commands-requests";
import { unseal } from "@/lib/platform/crypto/vault";
import { isShopError } from "@/lib/platform/errors";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import * as sale from "@/tests/setup/sale";
import { clearSandboxFaults } from "@/tests/setup/stripe-faults";
import { auditSale } from "./audit";
import { controlOf } from "./run-broken-variant";
import { sleep } from "./shopper";
import { type Line, lineOf } from "./table";
import { CALL_SITE_CASES, callSites } from "./provider-call-trials";
import { eventOrders, replays } from "./webhook-trials";
import { importedOnce } from "./import-trial";

type Count = (full: number, least?: number) => number;

/** The trials that need no server: the shop's own functions, in this process, many at once. */
export function domainTrials(n: Count, seed: number): [string, () => Promise<Line>][] {
  return [
    ["call-sites", () => fresh(() => callSites(n(CALL_SITE_CASES, 17), seed))],
    ["import", () => fresh(() => importedOnce(n(20, 2), seed))],
    ["coupon", () => fresh(() => couponOnce(n(10), seed))],
    ["claim", () => fresh(() => oneClaim(n(500, 20), seed))],
    ["races", () => fresh(() => pairs(n(20, 2), seed))],
    ["expiry", () => fresh(() => expiryAgainstPayment(n(10), seed))],
    ["orders", () => fresh(() => eventOrders(n(720, 24), seed))],
    ["replays", () => fresh(() => replays(100, seed))],
  ];
}

/** Notices come straight to the shop, unless the trial says otherwise. */
async function fresh(run: () => Promise<Line>): Promise<Line> {
  clearSandboxFaults();
  sale.receiveEventsInProcess();
  return run();
}

export const planOf = async (options: PlanInput = {}): Promise<number> =>
  (await createProduct({ plans: [{ keys: 3, ...options }] })).plans[0]!.id;

export const settled = async (): Promise<void> => {
  await sale.waitForEvents();
  await sale.runQueue();
};

/** What every one of several answered: `ok`, or the name of the refusal. */
async function answers(tries: Promise<unknown>[]): Promise<string[]> {
  const all = await Promise.allSettled(tries);
  return all.map((one) =>
    one.status === "fulfilled" ? "ok" : isShopError(one.reason) ? one.reason.name : String(one.reason),
  );
}

const okOf = (response: string[]) => response.filter((one) => one === "ok").length;

/** A coupon that nobody owns, 200 shoppers at once; then its order is let go ten times at once. */
const couponOnce = (rounds: number, seed: number): Promise<Line> =>
  lineOf(
    {
      invariant: "A coupon is used once, and comes back once",
      trial: "200 shoppers at once with one coupon; 10 cancellations at once",
      seed,
    },
    async (line) => {
      const buyers = await Promise.all(Array.from({ length: 200 }, () => sale.createBuyer()));
      for (let round = 0; round < rounds; round++) {
        const planId = await planOf({ keys: 210 });
        const code = await createCoupon();
        const response = await answers(buyers.map((buyer) => sale.orderPlan(buyer, planId, 1, code)));
        line.trials += 200;
        if (okOf(response) !== 1)
          line.violations.push(`${okOf(response)} orders have the coupon: ${[...new Set(response)]}`);
        const winner = buyers[response.indexOf("ok")]!;
        const [order] = await db.execute<{ id: string }>(
          sql`select id from orders where user_id = ${winner.id} and status = 'pending' and coupon_id is not null`,
        );
        const release = () => cancelOrder(winner.viewer, { order_id: order!.id });
        await answers(Array.from({ length: 10 }, release));
        // The released coupon is usable by its own account, for one order.
        const again = await answers(
          Array.from({ length: 10 }, async () => sale.orderPlan(winner, await planOf(), 1, code)),
        );
        line.trials += 10;
        if (okOf(again) !== 1) line.violations.push(`it came back ${okOf(again)} times`);
        const open = await db.execute<{ id: string }>(
          sql`select id from orders where user_id = ${winner.id} and status = 'pending'`,
        );
        for (const { id } of open) await cancelOrder(winner.viewer, { order_id: id });
      }
      line.violations.push(...(await auditSale()));
      line.control = await controlOf("coupon");
    },
  );

/** One person, many orders at once for a plan of which each may have one. */
const oneClaim = (tries: number, seed: number): Promise<Line> =>
  lineOf(
    { invariant: "One claim per person", trial: "an order at once with the others for one gift", seed },
    async (line) => {
      const buyer = await sale.createBuyer();
      for (let left = tries; left > 0; left -= 20) {
        const planId = await planOf({ priceCents: 0, keys: 30 });
        const response = await answers(Array.from({ length: 20 }, () => sale.orderPlan(buyer, planId)));
        line.trials += 20;
        if (okOf(response) !== 1)
          line.violations.push(`${okOf(response)} of 20 were given: ${[...new Set(response)]}`);
      }
      line.violations.push(...(await auditSale()));
    },
  );

type Way = "first" | "second" | "together";

/** Two things that exclude each other, each first and both at once: one wins, and money, keys and status agree. */
const pairs = (rounds: number, seed: number): Promise<Line> =>
  lineOf(
    {
      invariant: "cancel/pay, refund/assign, expire/pay each have one winner",
      trial: "a pair: each first, and both at once",
      seed,
    },
    async (line) => {
      const buyer = await sale.createBuyer();
      const planId = await planOf({ keys: rounds * 12, type: "month" });
      for (let round = 0; round < rounds; round++)
        for (const way of ["first", "second", "together"] as Way[]) {
          for (const wrong of [
            await cancelAgainstPay(buyer, planId, way),
            await expireAgainstPay(buyer, planId, way),
            await refundAgainstAssign(buyer, planId, way),
          ])
            if (wrong) line.violations.push(`${way}: ${wrong}`);
          line.trials += 3;
        }
      line.violations.push(...(await auditSale({ atRest: true })));
    },
  );

async function both(way: Way, one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<void> {
  const [a, b] = way === "second" ? [other, one] : [one, other];
  if (way === "together") await answers([a(), b()]);
  else {
    await answers([a()]);
    await answers([b()]);
  }
  await settled();
}

/** Cancelled and never charged, or charged and delivered: anything else is said. */
async function oneEnd(orderId: string, intentId: string): Promise<string | null> {
  const [row] = await db.execute<{ status: string; charged: boolean; keys: number }>(sql`
    select o.status, i.status = 'succeeded' as charged, (select count(*)::int from order_lines l join keys k on k.order_line_id = l.id
      where l.order_id = o.id and k.state = 'assigned') as keys
    from orders o, sandbox_intents i where o.id = ${orderId} and i.id = ${intentId}`);
  const ends = [
    { status: "cancelled", charged: false, keys: 0 },
    { status: "completed", charged: true, keys: 1 },
  ];
  return ends.some((end) => JSON.stringify(end) === JSON.stringify(row)) ? null : JSON.stringify(row);
}

async function cancelAgainstPay(buyer: sale.Buyer, planId: number, way: Way): Promise<string | null> {
  const id = await sale.orderPlan(buyer, planId);
  const { intentId, clientSecret } = await sale.openPayment(buyer, id);
  await both(
    way,
    () => cancelOrder(buyer.viewer, { order_id: id }),
    () => confirmSandboxIntent(clientSecret, "succeeded").then(() => settlePayment(intentId)),
  );
  return oneEnd(id, intentId);
}

async function expireAgainstPay(buyer: sale.Buyer, planId: number, way: Way): Promise<string | null> {
  const id = await sale.orderPlan(buyer, planId);
  const { intentId, clientSecret } = await sale.openPayment(buyer, id);
  await db.execute(sql`update orders set hold_ends_at = shop_now() - interval '1 second' where id = ${id}`);
  await both(
    way,
    () => expireOrder(id),
    () => confirmSandboxIntent(clientSecret, "succeeded").then(() => settlePayment(intentId)),
  );
  return oneEnd(id, intentId);
}

async function refundAgainstAssign(buyer: sale.Buyer, planId: number, way: Way): Promise<string | null> {
  const id = await sale.orderPlan(buyer, planId);
  const { intentId } = await sale.pay(buyer, id);
  await settlePayment(intentId);
  const [line] = await db.execute<{ id: string }>(sql`select id from order_lines where order_id = ${id}`);
  const wish = { order_id: id, order_product_id: line!.id };
  await both(
    way,
    () => requestRefund(buyer.viewer, wish, "en"),
    () => assignPaidOrder(id),
  );
  const [row] = await db.execute<{ status: string; back: number; keys: number }>(sql`
    select o.status, (select coalesce(sum(amount_cents), 0)::int from refunds where order_id = o.id and state = 'succeeded') as back,
      (select count(*)::int from keys k join order_lines l on l.id = k.order_line_id where l.order_id = o.id
        and k.state in ('assigned', 'reserved')) as keys from orders o where o.id = ${id}`);
  const refunded = row?.status === "refunded" && row.back === 1000 && row.keys === 0;
  return refunded ? null : JSON.stringify(row);
}

/** The end of the hold against a payment, from half a second before to half a second after, in steps of 50 ms. */
const expiryAgainstPayment = (rounds: number, seed: number): Promise<Line> =>
  lineOf(
    {
      invariant: "No release while payment can succeed",
      trial: "a payment −500 … +500 ms around the end of its hold, in 50 ms steps",
      seed,
    },
    async (line) => {
      const buyer = await sale.createBuyer();
      const planId = await planOf({ keys: rounds * 21 });
      const ends = { cancelled: 0, completed: 0 };
      for (let round = 0; round < rounds; round++) {
        const tries = [];
        for (let step = -500; step <= 500; step += 50) {
          const id = await sale.orderPlan(buyer, planId);
          tries.push({ id, step, ...(await sale.openPayment(buyer, id)) });
        }
        await db.execute(sql`update orders set hold_ends_at = shop_now() + interval '800 milliseconds'
          where id in ${tries.map(({ id }) => id)}`);
        const end = Date.now() + 800;
        await Promise.all(
          tries.map(async ({ id, step, intentId, clientSecret }) => {
            const paying = sleep(end + step - Date.now())
              .then(() => confirmSandboxIntent(clientSecret, "succeeded"))
              .then(() => settlePayment(intentId));
            const expiring = (async () => {
              await sleep(end - Date.now() - 50);
              while (Date.now() < end + 700 && (await sale.getOrderStatus(id)) === "pending") {
                await expireOrder(id);
                await sleep(20);
              }
            })();
            await Promise.all([paying, expiring]);
          }),
        );
        await settled();
        for (const { id, step, intentId } of tries) {
          line.trials++;
          const wrong = await oneEnd(id, intentId);
          if (wrong) line.violations.push(`at ${step} ms: ${wrong}`);
          if ((await sale.getOrderStatus(id)) === "completed") ends.completed++;
          else ends.cancelled++;
        }
      }
      line.control = `both ends happen: ${ends.completed} paid, ${ends.cancelled} expired`;
      if (rounds > 2 && (ends.completed === 0 || ends.cancelled === 0)) line.violations.push(line.control);
      line.violations.push(...(await auditSale({ atRest: true })));
    },
  );

/** Up to 2,000 codes that the shop keeps, in clear: what must stand nowhere. Those that were sold come first. */
export async function knownCodes(): Promise<string[]> {
  const rows = await db.execute<{ id: string; sealed: Buffer; vault_key_id: string }>(sql`
    select id, sealed, vault_key_id from keys order by state = 'assigned' desc, md5(id) limit 2000`);
  return rows.map(({ id, sealed, vault_key_id }) => unseal(id, { sealed, vaultKeyId: vault_key_id }));
}
