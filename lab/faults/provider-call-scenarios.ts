import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { sweepJob } from "@/lib/orders/jobs";
import { startPayment } from "@/lib/orders/payment/start-payment";
import { reconcileWithProvider } from "@/lib/orders/reconciliation/reconcile-with-provider";
import { decideRefundRequest } from "@/lib/orders/refunds/decide-refund-request";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { addCard } from "@/lib/payments/cards/add-card";
import { confirmSandboxCard } from "@/lib/payments/cards/confirm-sandbox-card";
import { deleteCard } from "@/lib/payments/cards/delete-card";
import { deleteCustomer, findCustomer } from "@/lib/payments/cards/ensure-customer";
import { listCards } from "@/lib/payments/cards/list-cards";
import { createPaymentIntent } from "@/lib/payments/create-payment-intent";
import { isShopError } from "@/lib/platform/errors";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { reviewSandboxPayment, warnOfSandboxPayment } from "@/lib/platform/stripe/sandbox/radar";
import { endRefundClaims, makeJobsDue } from "@/tests/setup/queue";
import * as sale from "@/tests/setup/sale";
import { disputeSandboxPayment } from "@/tests/setup/sandbox-bank";
import { sleep } from "@/tests/setup/shopper";
import { dropSandboxEvents, returnSandboxRefunds } from "@/tests/setup/stripe-faults";
import type { TrialResult } from "./table";

/** A flow with calls to the provider. Calls `fail` where the fault starts; returns what is wrong at the end, or null. */
export type Scenario = (planId: number, fail: () => void, result: TrialResult) => Promise<string | null>;

/** Repeats an action until it succeeds; the time from the first failure counts as recovery time. */
export async function retryUntilSuccess<T>(result: TrialResult, action: () => Promise<T>): Promise<T> {
  let failedAt = 0;
  for (let attempt = 0; ; attempt++) {
    try {
      const value = await action();
      if (failedAt) result.recoveryMs.push(performance.now() - failedAt);
      return value;
    } catch (error) {
      failedAt ||= performance.now();
      if (attempt > 8) throw error;
    }
  }
}

/** Runs events and jobs until none fails; failed jobs are retried without their delay. */
export const processQueue = (result: TrialResult) =>
  retryUntilSuccess(result, async () => {
    await sale.waitForEvents();
    await makeJobsDue();
    await endRefundClaims();
    await sale.runQueue();
    await sale.waitForEvents(); // events caused by jobs
    await sale.runQueue();
    // The queue records a failure after it has reported its end.
    for (let tries = 0; tries < 500 && (await hasJobs("locked_by is not null")); tries++) await sleep(20);
    if (await hasJobs("last_error is not null")) throw new Error("a job has failed");
  });

const hasJobs = async (condition: string): Promise<boolean> =>
  (await db.execute(sql.raw(`select 1 from graphile_worker.jobs where ${condition} limit 1`))).length > 0;

/** Requests a refund of an order's only line; staff approve it when the vendor has to confirm. */
export async function refundOrder(buyer: sale.Buyer, orderId: string): Promise<void> {
  const [line] = await db.execute<{ id: string }>(
    sql`select id from order_lines where order_id = ${orderId}`,
  );
  const input = { order_id: orderId, order_product_id: line!.id };
  const { state } = await requestRefund(buyer.viewer, input, "en");
  if (state !== "asked") return;
  const [request] = await db.execute<{ id: string }>(
    sql`select id from refund_requests where order_line_id = ${line!.id} and state = 'asked'`,
  );
  await decideRefundRequest(request!.id, { decision: "approved", by: "staff:trial" });
}

/** Skips the delay before a refund's next attempt and runs the sweep. */
export async function retryRefund(orderId: string): Promise<void> {
  await db.execute(
    sql`update refunds set updated_at = shop_now() - interval '5 minutes' where order_id = ${orderId} and state = 'pending'`,
  );
  await sweepJob.run(undefined);
}

/** A card is saved, listed and removed, and its owner's customer is deleted. */
export const cardLifecycle: Scenario = async (_, fail, result) => {
  const buyer = await sale.createBuyer();
  fail();
  const setup = await retryUntilSuccess(result, () => addCard(buyer.viewer, {}));
  if (!("setup_id" in setup)) return "no setup";
  await confirmSandboxCard(buyer.viewer, { client_secret: setup.client_secret, card: "visa" });
  const stored = await retryUntilSuccess(result, () => addCard(buyer.viewer, { setup_id: setup.setup_id }));
  if (!("payment_id" in stored)) return "no card";
  const again = await retryUntilSuccess(result, () =>
    addCard(buyer.viewer, { payment_method_id: stored.payment_id }),
  );
  const listed = (await retryUntilSuccess(result, () => listCards(buyer.viewer))).cards;
  if (JSON.stringify([again, listed]) !== JSON.stringify([stored, [stored]]))
    return "other cards than the saved one";
  const customers = await db.execute(
    sql`select 1 from sandbox_customers where metadata->>'user_id' = ${buyer.id}`,
  );
  if (customers.length !== 1) return `${customers.length} customers`;
  // When the response to the removal was lost, the next attempt fails with payment_method_unknown.
  await retryUntilSuccess(result, () =>
    deleteCard(buyer.viewer, stored).catch((error) => {
      if (!isShopError(error) || error.error !== "payment_method_unknown") throw error;
    }),
  );
  const remaining = (await retryUntilSuccess(result, () => listCards(buyer.viewer))).cards.length;
  await db.execute(sql`update users set deleted_at = shop_now() where id = ${buyer.id}`);
  await retryUntilSuccess(result, () => deleteCustomer(buyer.id));
  const customer = await findCustomer(buyer.id);
  return remaining === 0 && customer === null ? null : `${remaining} cards left, customer ${customer}`;
};

/** The buyer saves the card of a payment: there is one intent, it can be paid, and the card is saved. */
export const payAndSaveCard: Scenario = async (planId, fail, result) => {
  const buyer = await sale.createBuyer();
  const id = await sale.orderPlan(buyer, planId);
  await startPayment(buyer.viewer, { order_id: id });
  fail();
  const openPayment = () => createPaymentIntent(buyer.viewer, { order_id: id, save_card: true });
  const { client_secret } = await retryUntilSuccess(result, openPayment);
  await confirmSandboxIntent(client_secret, "succeeded");
  await processQueue(result);
  const intents = await db.execute(sql`select 1 from sandbox_intents where metadata->>'order_id' = ${id}`);
  const { cards } = await listCards(buyer.viewer);
  const status = await sale.getOrderStatus(id);
  const isCorrect = status === "completed" && intents.length === 1 && cards.length === 1;
  return isCorrect ? null : `${status}, ${intents.length} intents, ${cards.length} cards`;
};

/** A bank disputes a payment and decides for the merchant: both states are stored. */
export const disputePayment: Scenario = async (planId, fail, result) => {
  const buyer = await sale.createBuyer();
  const id = await sale.orderPlan(buyer, planId);
  const { intentId } = await sale.pay(buyer, id);
  await processQueue(result);
  const getDispute = async () => {
    const [row] = await db.execute<{ status: string; is_open: boolean }>(
      sql`select status, is_open from disputes where order_id = ${id}`,
    );
    return `${row?.status} ${row?.is_open}`;
  };
  fail();
  await disputeSandboxPayment(intentId, "needs_response");
  await processQueue(result);
  const first = await getDispute();
  await disputeSandboxPayment(intentId, "won");
  await processQueue(result);
  const last = await getDispute();
  return first === "needs_response true" && last === "won false" ? null : `${first}, then ${last}`;
};

/** The provider reviews a payment and lets it pass, and its bank warns of fraud: staff decide, because the code was mailed. */
export const suspectPayment: Scenario = async (planId, fail, result) => {
  const id = await sale.sell(await sale.createBuyer(), planId);
  const [payment] = await db.execute<{ intent_id: string }>(
    sql`select intent_id from payments where order_id = ${id}`,
  );
  fail();
  await reviewSandboxPayment(payment!.intent_id, null);
  await warnOfSandboxPayment(payment!.intent_id);
  await processQueue(result);
  await reviewSandboxPayment(payment!.intent_id, "approved");
  await processQueue(result);
  const [row] = await db.execute<{ state: string; is_open: boolean }>(sql`
    select w.state, r.is_open from fraud_warnings w join payment_reviews r on r.order_id = w.order_id where w.order_id = ${id}`);
  const outcome = `${row?.state}, review ${row?.is_open ? "open" : "closed"}`;
  return outcome === "open, review closed" ? null : outcome;
};

/** Webhook events are lost: reconciliation finds the payment; a reconciliation that fails writes no report. */
export const reconcileLostEvents: Scenario = async (planId, fail, result) => {
  dropSandboxEvents();
  const buyer = await sale.createBuyer();
  const id = await sale.orderPlan(buyer, planId);
  await sale.pay(buyer, id);
  fail();
  const { differences } = await retryUntilSuccess(result, reconcileWithProvider);
  await sale.runQueue();
  const status = await sale.getOrderStatus(id);
  const unrepaired = differences.filter((difference) => !difference.repaired);
  return status === "completed" && unrepaired.length === 0
    ? null
    : `${status}, ${JSON.stringify(unrepaired)}`;
};

/** The bank returns a refund: the return is noticed despite the fault, and the second attempt succeeds. */
export const returnedRefund: Scenario = async (planId, fail, result) => {
  const buyer = await sale.createBuyer();
  const id = await sale.sell(buyer, planId);
  returnSandboxRefunds(1);
  fail();
  await refundOrder(buyer, id);
  await processQueue(result);
  await retryRefund(id);
  await processQueue(result);
  const refunds = await db.execute<{ state: string }>(
    sql`select state from refunds where order_id = ${id} order by created_at, id`,
  );
  const outcome = `${await sale.getOrderStatus(id)}: ${refunds.map(({ state }) => state)}`;
  return outcome === "refunded: failed,succeeded" ? null : outcome;
};
