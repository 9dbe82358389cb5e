import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createProduct, type PlanInput } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { expireOrder } from "@/lib/orders/cancellation/close-unpaid-order";
import { assignPaidOrder } from "@/lib/orders/fulfilment/assign-waiting-orders";
import { settlePayment } from "@/lib/orders/payment/settle-payment";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { unseal } from "@/lib/platform/crypto/vault";
import { isShopError } from "@/lib/platform/errors";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { auditSale } from "@/tests/setup/audit";
import * as sale from "@/tests/setup/sale";
import { sleep } from "@/tests/setup/shopper";
import { clearSandboxFaults } from "@/tests/setup/stripe-faults";
import { concurrentImports } from "./import-trial";
import { providerBooks } from "./provider-books-trial";
import { PROVIDER_CALL_CASES, providerCalls } from "./provider-call-trials";
import { runBrokenVariant } from "./run-broken-variant";
import { runTrial, type TrialResult } from "./table";
import { eventOrders, replays } from "./webhook-trials";

type ScaleCount = (full: number, least?: number) => number;

/** The trials that need no server: domain functions called concurrently in this process. */
export function domainTrials(n: ScaleCount, seed: number): [string, () => Promise<TrialResult>][] {
  return [
    ["call-sites", () => withDefaultProvider(() => providerCalls(n(PROVIDER_CALL_CASES, 21), seed))],
    ["import", () => withDefaultProvider(() => concurrentImports(n(20, 2), seed))],
    ["coupon", () => withDefaultProvider(() => couponUsedOnce(n(10), seed))],
    ["claim", () => withDefaultProvider(() => oneFreeClaim(n(500, 20), seed))],
    ["races", () => withDefaultProvider(() => conflictingPairs(n(20, 2), seed))],
    ["expiry", () => withDefaultProvider(() => expiryAgainstPayment(n(10), seed))],
    ["orders", () => withDefaultProvider(() => eventOrders(n(720, 24), seed))],
    ["replays", () => withDefaultProvider(() => replays(100, seed))],
    ["provider-books", () => withDefaultProvider(() => providerBooks(n(40, 6), seed))],
  ];
}

/** Removes planned faults and delivers the provider's events in this process; a trial may change that. */
async function withDefaultProvider(trial: () => Promise<TrialResult>): Promise<TrialResult> {
  clearSandboxFaults();
  sale.receiveEventsInProcess();
  return trial();
}

export const createPlan = async (options: PlanInput = {}): Promise<number> =>
  (await createProduct({ plans: [{ keys: 3, ...options }] })).plans[0]!.id;

export const processEventsAndJobs = async (): Promise<void> => {
  await sale.waitForEvents();
  await sale.runQueue();
};

/** The outcome of each promise: `ok`, the name of the shop error, or the text of another error. */
async function outcomes(promises: Promise<unknown>[]): Promise<string[]> {
  const results = await Promise.allSettled(promises);
  return results.map((result) =>
    result.status === "fulfilled"
      ? "ok"
      : isShopError(result.reason)
        ? result.reason.name
        : String(result.reason),
  );
}

const countOk = (results: string[]) => results.filter((result) => result === "ok").length;

/** 200 buyers use one unassigned coupon concurrently; then its order is cancelled ten times concurrently. */
const couponUsedOnce = (rounds: number, seed: number): Promise<TrialResult> =>
  runTrial(
    {
      invariant: "A coupon is used once and released once",
      trial: "200 buyers at once with one coupon; 10 cancellations at once",
      seed,
    },
    async (result) => {
      const buyers = await Promise.all(Array.from({ length: 200 }, () => sale.createBuyer()));
      for (let round = 0; round < rounds; round++) {
        const planId = await createPlan({ keys: 210 });
        const code = await createCoupon();
        await db.execute(sql`delete from rate_limits`); // the tries of coupon codes are limited
        const results = await outcomes(buyers.map((buyer) => sale.orderPlan(buyer, planId, 1, code)));
        result.trials += 200;
        if (countOk(results) !== 1)
          result.violations.push(`${countOk(results)} orders have the coupon: ${[...new Set(results)]}`);
        const winner = buyers[results.indexOf("ok")]!;
        const [order] = await db.execute<{ id: string }>(
          sql`select id from orders where user_id = ${winner.id} and status = 'pending' and coupon_id is not null`,
        );
        const cancel = () => cancelOrder(winner.viewer, { order_id: order!.id });
        await outcomes(Array.from({ length: 10 }, cancel));
        // The released coupon can be used by the same user, for one order.
        const retries = await outcomes(
          Array.from({ length: 10 }, async () => sale.orderPlan(winner, await createPlan(), 1, code)),
        );
        result.trials += 10;
        if (countOk(retries) !== 1)
          result.violations.push(`${countOk(retries)} orders used the released coupon`);
        const open = await db.execute<{ id: string }>(
          sql`select id from orders where user_id = ${winner.id} and status = 'pending'`,
        );
        for (const { id } of open) await cancelOrder(winner.viewer, { order_id: id });
      }
      result.violations.push(...(await auditSale()));
      result.brokenVariant = await runBrokenVariant("coupon");
    },
  );

/** One user concurrently places many orders for a free plan that allows one claim per user. */
const oneFreeClaim = (orders: number, seed: number): Promise<TrialResult> =>
  runTrial(
    { invariant: "One claim per user", trial: "one of 20 concurrent orders for one free plan", seed },
    async (result) => {
      const buyer = await sale.createBuyer();
      for (let remaining = orders; remaining > 0; remaining -= 20) {
        const planId = await createPlan({ priceCents: 0, keys: 30 });
        const results = await outcomes(Array.from({ length: 20 }, () => sale.orderPlan(buyer, planId)));
        result.trials += 20;
        if (countOk(results) !== 1)
          result.violations.push(`${countOk(results)} of 20 orders were placed: ${[...new Set(results)]}`);
      }
      result.violations.push(...(await auditSale()));
    },
  );

type Sequence = "first" | "second" | "together";

/** Two conflicting operations, each one first and both concurrently: one wins, and money, keys and status agree. */
const conflictingPairs = (rounds: number, seed: number): Promise<TrialResult> =>
  runTrial(
    {
      invariant: "Of cancel/pay, refund/assign, expire/pay one wins",
      trial: "a pair: each operation first, and both at once",
      seed,
    },
    async (result) => {
      const buyer = await sale.createBuyer();
      const planId = await createPlan({ keys: rounds * 12, type: "month" });
      for (let round = 0; round < rounds; round++)
        for (const sequence of ["first", "second", "together"] as Sequence[]) {
          for (const problem of [
            await cancelAgainstPay(buyer, planId, sequence),
            await expireAgainstPay(buyer, planId, sequence),
            await refundAgainstAssign(buyer, planId, sequence),
          ])
            if (problem) result.violations.push(`${sequence}: ${problem}`);
          result.trials += 3;
        }
      result.violations.push(...(await auditSale({ whenIdle: true })));
    },
  );

async function runPair(
  sequence: Sequence,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<void> {
  const [a, b] = sequence === "second" ? [second, first] : [first, second];
  if (sequence === "together") await outcomes([a(), b()]);
  else {
    await outcomes([a()]);
    await outcomes([b()]);
  }
  await processEventsAndJobs();
}

/**
 * Null when the order is cancelled and not charged, or charged and delivered, or, with `mayRefund`, its money is paid
 * back; else its state.
 */
async function findInconsistentEnd(
  orderId: string,
  intentId: string,
  mayRefund = false,
): Promise<string | null> {
  const [row] = await db.execute<{ status: string; charged: boolean; keys: number }>(sql`
    select o.status, i.status = 'succeeded' and not exists (select from refunds r where r.order_id = o.id
      and r.state = 'succeeded' and r.amount_cents = o.total_cents) as charged, (select count(*)::int from order_lines l join keys k on k.order_line_id = l.id
      where l.order_id = o.id and k.state = 'assigned') as keys
    from orders o, sandbox_intents i where o.id = ${orderId} and i.id = ${intentId}`);
  const consistent = [
    { status: "cancelled", charged: false, keys: 0 },
    ...(mayRefund ? [{ status: "refunded", charged: false, keys: 0 }] : []),
    { status: "completed", charged: true, keys: 1 },
  ];
  return consistent.some((state) => JSON.stringify(state) === JSON.stringify(row))
    ? null
    : JSON.stringify(row);
}

async function cancelAgainstPay(
  buyer: sale.Buyer,
  planId: number,
  sequence: Sequence,
): Promise<string | null> {
  const id = await sale.orderPlan(buyer, planId);
  const { intentId, clientSecret } = await sale.openPayment(buyer, id);
  await runPair(
    sequence,
    () => cancelOrder(buyer.viewer, { order_id: id }),
    () => confirmSandboxIntent(clientSecret, "succeeded").then(() => settlePayment(intentId)),
  );
  return findInconsistentEnd(id, intentId, true);
}

async function expireAgainstPay(
  buyer: sale.Buyer,
  planId: number,
  sequence: Sequence,
): Promise<string | null> {
  const id = await sale.orderPlan(buyer, planId);
  const { intentId, clientSecret } = await sale.openPayment(buyer, id);
  await db.execute(sql`update orders set hold_ends_at = shop_now() - interval '1 second' where id = ${id}`);
  await runPair(
    sequence,
    () => expireOrder(id),
    () => confirmSandboxIntent(clientSecret, "succeeded").then(() => settlePayment(intentId)),
  );
  return findInconsistentEnd(id, intentId);
}

async function refundAgainstAssign(
  buyer: sale.Buyer,
  planId: number,
  sequence: Sequence,
): Promise<string | null> {
  const id = await sale.orderPlan(buyer, planId);
  const { intentId } = await sale.pay(buyer, id);
  await settlePayment(intentId);
  const [line] = await db.execute<{ id: string }>(sql`select id from order_lines where order_id = ${id}`);
  const input = { order_id: id, order_product_id: line!.id };
  await runPair(
    sequence,
    () => requestRefund(buyer.viewer, input, "en"),
    () => assignPaidOrder(id),
  );
  const [row] = await db.execute<{ status: string; refunded_cents: number; keys: number }>(sql`
    select o.status, (select coalesce(sum(amount_cents), 0)::int from refunds where order_id = o.id and state = 'succeeded') as refunded_cents,
      (select count(*)::int from keys k join order_lines l on l.id = k.order_line_id where l.order_id = o.id
        and k.state in ('assigned', 'reserved')) as keys from orders o where o.id = ${id}`);
  const refunded = row?.status === "refunded" && row.refunded_cents === 1000 && row.keys === 0;
  return refunded ? null : JSON.stringify(row);
}

/** The end of the hold against a payment, from half a second before to half a second after, in steps of 50 ms. */
const expiryAgainstPayment = (rounds: number, seed: number): Promise<TrialResult> =>
  runTrial(
    {
      invariant: "No release while payment can succeed",
      trial: "a payment −500 … +500 ms around the end of its hold, in 50 ms steps",
      seed,
    },
    async (result) => {
      const buyer = await sale.createBuyer();
      const planId = await createPlan({ keys: rounds * 21 });
      const counts = { cancelled: 0, completed: 0 };
      for (let round = 0; round < rounds; round++) {
        const orders = [];
        for (let step = -500; step <= 500; step += 50) {
          const id = await sale.orderPlan(buyer, planId);
          orders.push({ id, step, ...(await sale.openPayment(buyer, id)) });
        }
        await db.execute(sql`update orders set hold_ends_at = shop_now() + interval '800 milliseconds'
          where id in ${orders.map(({ id }) => id)}`);
        const holdEnd = Date.now() + 800;
        await Promise.all(
          orders.map(async ({ id, step, intentId, clientSecret }) => {
            const payment = sleep(holdEnd + step - Date.now())
              .then(() => confirmSandboxIntent(clientSecret, "succeeded"))
              .then(() => settlePayment(intentId));
            const expiry = (async () => {
              await sleep(holdEnd - Date.now() - 50);
              while (Date.now() < holdEnd + 700 && (await sale.getOrderStatus(id)) === "pending") {
                await expireOrder(id);
                await sleep(20);
              }
            })();
            await Promise.all([payment, expiry]);
          }),
        );
        await processEventsAndJobs();
        for (const { id, step, intentId } of orders) {
          result.trials++;
          const problem = await findInconsistentEnd(id, intentId);
          if (problem) result.violations.push(`at ${step} ms: ${problem}`);
          if ((await sale.getOrderStatus(id)) === "completed") counts.completed++;
          else counts.cancelled++;
        }
      }
      result.brokenVariant = `both outcomes occur: ${counts.completed} paid, ${counts.cancelled} expired`;
      if (rounds > 2 && (counts.completed === 0 || counts.cancelled === 0))
        result.violations.push(result.brokenVariant);
      result.violations.push(...(await auditSale({ whenIdle: true })));
    },
  );

/** Up to 2,000 codes in plain text, sold ones first. They must not occur in any table, log or page. */
export async function listCodes(): Promise<string[]> {
  const rows = await db.execute<{ id: string; sealed: Buffer; vault_key_id: string }>(sql`
    select id, sealed, vault_key_id from keys order by state = 'assigned' desc, md5(id) limit 2000`);
  return rows.map(({ id, sealed, vault_key_id }) => unseal(id, { sealed, vaultKeyId: vault_key_id }));
}
