import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { sweepJob } from "@/lib/orders/jobs";
import { reconcileWithProvider } from "@/lib/orders/reconciliation/reconcile-with-provider";
import { createPaymentIntent } from "@/lib/payments/create-payment-intent";
import { auditSale } from "@/tests/setup/audit";
import { endRefundClaims, makeJobsDue } from "@/tests/setup/queue";
import * as sale from "@/tests/setup/sale";
import { seeded, sleep } from "@/tests/setup/shopper";
import { clearSandboxFaults } from "@/tests/setup/stripe-faults";
import { UnreliableProvider } from "@/tests/setup/unreliable-provider";
import { refundOrder } from "./provider-call-scenarios";
import { runTrial, type TrialResult } from "./table";

const FAULT_RATE = 0.35;
const TABS = 3;
const BUYERS_AT_ONCE = 8;
const UNIT_CENTS = 1000;
/** The provider runs a call at most this long after the client has given up. */
const LATE_CALL_MS = 300;

/**
 * Buyers of a provider that ignores idempotency keys, doubles, delays and lies in amounts. They open payments in several
 * tabs, pay every payable intent, too little or too late, cancel, ask for refunds and dispute. Afterwards the ledger of
 * every order equals the provider's books, no order has an open intent left, and the audit finds nothing.
 */
export const providerBooks = (buyers: number, seed: number): Promise<TrialResult> =>
  runTrial(
    {
      invariant: "The ledger equals the provider's books",
      trial: `a buyer of a provider that ignores idempotency keys, doubles, delays and lies in amounts; ${FAULT_RATE * 100} % faults`,
      seed,
    },
    async (result) => {
      const random = seeded(seed);
      // This provider knows nothing of the payments of earlier trials.
      const since = new Date();
      const provider = new UnreliableProvider({ random, faultRate: FAULT_RATE });
      provider.install();
      const plans = [{ keys: 2 * buyers, type: "month" as const, priceCents: UNIT_CENTS }];
      const planId = (await createProduct({ plans })).plans[0]!.id;
      const orderIds: string[] = [];
      try {
        const work = startWork();
        await forEachAtOnce(buyers, async (index) => {
          orderIds.push(await shop(provider, planId, index, random));
        });
        await work.stop();
        await provider.settle();
        // Faults go on while the shop compares its books, and end before it has to be right.
        for (let round = 0; round < 3; round += 1)
          await workOnce().then(() => ignore(reconcileWithProvider({ since })));
        provider.calm();
        await finish(provider, { orderIds, since }, result);
      } finally {
        clearSandboxFaults();
        sale.receiveEventsInProcess();
      }
      result.trials = orderIds.length;
      result.violations.push(...(await auditSale({ whenIdle: true })));
      const faults = [...provider.faults.values()].reduce((sum, count) => sum + count, 0);
      const duplicates = provider.intents.size - new Set(orderIds).size;
      result.brokenVariant =
        `${provider.calls} calls, ${provider.intents.size} intents (${duplicates} more than orders), ` +
        `${provider.refunds.size} refunds, ${provider.disputes.size} disputes; ${faults} faults of ${provider.faults.size} kinds`;
    },
  );

/** One buyer from the cart to the end of a refund or dispute; `index` decides what happens. Returns the order. */
async function shop(
  provider: UnreliableProvider,
  planId: number,
  index: number,
  random: () => number,
): Promise<string> {
  const buyer = await sale.createBuyer();
  const orderId = await sale.orderPlan(buyer, planId, 1 + (index % 2));
  const open = () => retry(() => createPaymentIntent(buyer.viewer, { order_id: orderId }));
  const tabs = await Promise.all(Array.from({ length: TABS }, open));
  const intentId = tabs[0]!.client_secret.split("_secret_")[0]!;
  const payments = index % 7;
  if (payments === 1) for (const intent of provider.intentsOf(orderId)) provider.pay(intent.id);
  else if (payments === 2) provider.pay(intentId, { share: 0.6 });
  else if (payments === 3) provider.pay(intentId, { lagMs: 500 });
  else if (payments === 4)
    await Promise.all([
      ignore(retry(() => cancelOrder(buyer.viewer, { order_id: orderId }))),
      sleep(random() * 50).then(() => provider.pay(intentId)),
    ]);
  else provider.pay(intentId);
  await waitUntilPaid(orderId);
  const ending = index % 5;
  if (ending === 1) await ignore(refundOrder(buyer, orderId));
  if (ending === 2) await dispute(provider, intentId, "lost", () => ignore(refundOrder(buyer, orderId)));
  if (ending === 3) {
    // The refund is requested first, and the dispute opens while it is sent.
    const refund = ignore(refundOrder(buyer, orderId));
    await sleep(random() * 100);
    await dispute(provider, intentId, index % 2 === 0 ? "lost" : "won", () => refund);
  }
  if (ending === 4) {
    await ignore(refundOrder(buyer, orderId));
    await sleep(500);
    const refund = [...provider.refunds.values()].find((candidate) => candidate.intentId === intentId);
    if (refund?.status === "succeeded") provider.returnRefund(refund.id);
  }
  return orderId;
}

/** The bank opens a dispute, the buyer acts during it, and the bank decides. */
async function dispute(
  provider: UnreliableProvider,
  intentId: string,
  decision: "won" | "lost",
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  const id = provider.openDispute(intentId);
  await sleep(300);
  await meanwhile();
  if (id) provider.decideDispute(id, decision);
}

/** Jobs and the sweeper run without the pauses between attempts. A failing round is repeated by the next one. */
async function workOnce(): Promise<void> {
  await makeJobsDue();
  await ignore(sale.runQueue());
  await endRefundClaims(LATE_CALL_MS);
  await db.execute(sql`update refunds set updated_at = shop_now() - interval '5 minutes'
    where state in ('pending', 'submitted') and (requested_at is null or provider_id is not null)`);
  await db.execute(sql`update payments set updated_at = shop_now() - interval '5 minutes'
    where state not in ('succeeded', 'canceled') and requested_at is null`);
  await db.execute(sql`update orders set paid_at = paid_at - interval '5 minutes' where status = 'paid'`);
  await sweepJob.run(undefined);
}

function startWork() {
  let isRunning = true;
  const loop = (async () => {
    while (isRunning) {
      await workOnce();
      await sleep(50);
    }
  })();
  return {
    stop() {
      isRunning = false;
      return loop;
    },
  };
}

/** Without faults the shop has a few rounds to repair what is wrong; then its books must be the provider's. */
async function finish(
  provider: UnreliableProvider,
  { orderIds, since }: { orderIds: string[]; since: Date },
  result: TrialResult,
): Promise<void> {
  const start = performance.now();
  let problems: string[] = [];
  for (let round = 0; round < 10; round += 1) {
    await workOnce();
    await provider.settle();
    await closeUnpaidOrders(orderIds);
    const { differences } = await reconcileWithProvider({ since });
    await workOnce();
    await provider.settle();
    const isIdle =
      (await db.execute(sql`select 1 from refunds where state in ('pending', 'submitted') limit 1`))
        .length === 0;
    problems = [
      ...differences.filter(({ repaired }) => !repaired).map((difference) => JSON.stringify(difference)),
      ...(await compareBooks(provider, orderIds)),
    ];
    if (problems.length === 0 && differences.length === 0 && isIdle) {
      result.recoveryMs.push(performance.now() - start);
      return;
    }
  }
  result.violations.push(...problems);
}

/** Buyers who have not paid cancel, so that the next trial finds no open order. */
async function closeUnpaidOrders(orderIds: string[]): Promise<void> {
  for (const orderId of orderIds) {
    const [order] = await db.execute<{ user_id: string; status: string }>(
      sql`select user_id, status from orders where id = ${orderId}`,
    );
    if (order?.status !== "pending" && order?.status !== "processingPayment") continue;
    const viewer = { userId: order.user_id } as sale.Buyer["viewer"];
    await ignore(cancelOrder(viewer, { order_id: orderId }));
  }
}

async function compareBooks(provider: UnreliableProvider, orderIds: string[]): Promise<string[]> {
  const rows = await db.execute<{ id: string; status: string; cents: number }>(sql`
    select o.id, o.status, coalesce((select sum(e.amount_cents) from ledger_entries e
      where e.order_id = o.id and e.account = 'provider_cash'), 0)::int as cents from orders o`);
  return rows
    .filter(({ id }) => orderIds.includes(id))
    .flatMap(({ id, status, cents }) => {
      const open = provider.intentsOf(id).filter((intent) => intent.status.startsWith("requires_")).length;
      return [
        ...(cents === provider.cashOf(id)
          ? []
          : [`order ${id} (${status}): the ledger has ${cents}, the provider ${provider.cashOf(id)}`]),
        ...(open === 0 ? [] : [`order ${id} (${status}) has ${open} open intents`]),
        ...(cents >= 0 ? [] : [`order ${id} (${status}) is below zero`]),
      ];
    });
}

/** Waits until the order is delivered or ended, at most three seconds: some are never paid. */
async function waitUntilPaid(orderId: string): Promise<void> {
  for (let attempt = 0; attempt < 30; attempt += 1) {
    const status = (await sale.getOrderStatus(orderId)) ?? "";
    if (["shipped", "completed", "cancelled", "refunded"].includes(status)) return;
    await sleep(100);
  }
}

/** A buyer presses again until it works. */
async function retry<T>(action: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await action();
    } catch (error) {
      if (attempt === 12) throw error;
    }
}

const ignore = (promise: Promise<unknown>): Promise<void> =>
  promise.then(
    () => {},
    () => {},
  );

async function forEachAtOnce(count: number, run: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: BUYERS_AT_ONCE }, worker));
}
