import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { sweepJob } from "@/lib/orders/jobs";
import { reconcileWithProvider } from "@/lib/orders/reconciliation/commands";
import { decideRefundRequest, requestRefund } from "@/lib/orders/refunds/commands-requests";
import { addCard, confirmSandboxCard, deleteCard, deleteCustomer } from "@/lib/payments/cards/commands";
import { findCustomer, listCards } from "@/lib/payments/cards/queries";
import { createPaymentIntent } from "@/lib/payments/commands";
import { isShopError } from "@/lib/platform/errors";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { disputeSandboxPayment } from "@/lib/platform/stripe/sandbox/disputes";
import { makeJobsDue } from "../setup/queue";
import * as sale from "../setup/sale";
import { dropSandboxEvents, returnSandboxRefunds } from "../setup/stripe-faults";
import { sleep } from "./shopper";
import type { Line } from "./table";

/** Goes through one way of the shop; calls `fail` when the trouble is to begin. Answers what is wrong at its end. */
export type Scenario = (planId: number, fail: () => void, line: Line) => Promise<string | null>;

/** A shopper, or the queue, tries again until it works; the time from the first failure counts as healing. */
export async function insist<T>(line: Line, work: () => Promise<T>): Promise<T> {
  let failedAt = 0;
  for (let attempt = 0; ; attempt++) {
    try {
      const result = await work();
      if (failedAt) line.heals.push(performance.now() - failedAt);
      return result;
    } catch (error) {
      failedAt ||= performance.now();
      if (attempt > 8) throw error;
    }
  }
}

/** The queue, which puts off what failed: here its pause is over at once. */
export const worked = (line: Line) =>
  insist(line, async () => {
    await sale.waitForEvents();
    await makeJobsDue();
    await sale.runQueue();
    await sale.waitForEvents(); // events caused by jobs
    await sale.runQueue();
    // The queue records a failure after it has reported its end.
    for (let tries = 0; tries < 500 && (await jobs("locked_by is not null")); tries++) await sleep(20);
    if (await jobs("last_error is not null")) throw new Error("a job has failed");
  });

const jobs = async (which: string): Promise<boolean> =>
  (await db.execute(sql.raw(`select 1 from graphile_worker.jobs where ${which} limit 1`))).length > 0;

/** The buyer asks for the money of an order's line; who has seen the code is answered by staff. */
export async function giveBack(buyer: sale.Buyer, orderId: string): Promise<void> {
  const [line] = await db.execute<{ id: string }>(
    sql`select id from order_lines where order_id = ${orderId}`,
  );
  const wish = { order_id: orderId, order_product_id: line!.id };
  const { state } = await requestRefund(buyer.viewer, wish, "en");
  if (state !== "asked") return;
  const [asked] = await db.execute<{ id: string }>(
    sql`select id from refund_requests where order_line_id = ${line!.id} and state = 'asked'`,
  );
  await decideRefundRequest(asked!.id, { decision: "approved", by: "staff:trial" });
}

/** The pause before a refund's next try goes by. */
export async function nextRefundTry(orderId: string): Promise<void> {
  await db.execute(
    sql`update refunds set updated_at = shop_now() - interval '5 minutes' where order_id = ${orderId} and state = 'pending'`,
  );
  await sweepJob.run(undefined);
}

/** A card is kept, listed, removed, and its owner's customer forgotten; a call in between goes wrong. */
export const keepAndForget: Scenario = async (_, fail, line) => {
  const buyer = await sale.createBuyer();
  fail();
  const opened = await insist(line, () => addCard(buyer.viewer, {}));
  if (!("setup_id" in opened)) return "no setup";
  await confirmSandboxCard(buyer.viewer, { client_secret: opened.client_secret, card: "visa" });
  const stored = await insist(line, () => addCard(buyer.viewer, { setup_id: opened.setup_id }));
  if (!("payment_id" in stored)) return "no card";
  const again = await insist(line, () => addCard(buyer.viewer, { payment_method_id: stored.payment_id }));
  const listed = (await insist(line, () => listCards(buyer.viewer))).cards;
  if (JSON.stringify([again, listed]) !== JSON.stringify([stored, [stored]]))
    return "other cards than the kept one";
  const customers = await db.execute(
    sql`select 1 from sandbox_customers where metadata->>'user_id' = ${buyer.id}`,
  );
  if (customers.length !== 1) return `${customers.length} customers`;
  // The card was removed and the response lost: the next try answers that there is none.
  await insist(line, () =>
    deleteCard(buyer.viewer, stored).catch((error) => {
      if (!isShopError(error) || error.error !== "payment_method_unknown") throw error;
    }),
  );
  const left = (await insist(line, () => listCards(buyer.viewer))).cards.length;
  await db.execute(sql`update users set deleted_at = shop_now() where id = ${buyer.id}`);
  await insist(line, () => deleteCustomer(buyer.id));
  const known = await findCustomer(buyer.id);
  return left === 0 && known === null ? null : `${left} cards left, customer ${known}`;
};

/** The shopper wishes to keep the card with which they pay: one intent, payable, with the wish. */
export const payWithWish: Scenario = async (planId, fail, line) => {
  const buyer = await sale.createBuyer();
  const id = await sale.orderPlan(buyer, planId);
  await createPaymentIntent(buyer.viewer, { order_id: id });
  fail();
  const open = () => createPaymentIntent(buyer.viewer, { order_id: id, save_card: true });
  const { client_secret } = await insist(line, open);
  await confirmSandboxIntent(client_secret, "succeeded");
  await worked(line);
  const intents = await db.execute(sql`select 1 from sandbox_intents where metadata->>'order_id' = ${id}`);
  const { cards } = await listCards(buyer.viewer);
  const status = await sale.getOrderStatus(id);
  const right = status === "completed" && intents.length === 1 && cards.length === 1;
  return right ? null : `${status}, ${intents.length} intents, ${cards.length} cards`;
};

/** A bank disputes a payment, and decides for the shop: both become known. */
export const disputed: Scenario = async (planId, fail, line) => {
  const buyer = await sale.createBuyer();
  const id = await sale.orderPlan(buyer, planId);
  const { intentId } = await sale.pay(buyer, id);
  await worked(line);
  const known = async () => {
    const [row] = await db.execute<{ status: string; is_open: boolean }>(
      sql`select status, is_open from disputes where order_id = ${id}`,
    );
    return `${row?.status} ${row?.is_open}`;
  };
  fail();
  await disputeSandboxPayment(intentId, "needs_response");
  await worked(line);
  const first = await known();
  await disputeSandboxPayment(intentId, "won");
  await worked(line);
  const last = await known();
  return first === "needs_response true" && last === "won false" ? null : `${first}, then ${last}`;
};

/** Webhook events are lost: reconciliation finds the payment; a reconciliation that fails writes no report. */
export const compared: Scenario = async (planId, fail, line) => {
  dropSandboxEvents();
  const buyer = await sale.createBuyer();
  const id = await sale.orderPlan(buyer, planId);
  await sale.pay(buyer, id);
  fail();
  const { differences } = await insist(line, reconcileWithProvider);
  await sale.runQueue();
  const status = await sale.getOrderStatus(id);
  const unhealed = differences.filter((one) => !one.repaired);
  return status === "completed" && unhealed.length === 0 ? null : `${status}, ${JSON.stringify(unhealed)}`;
};

/** The bank sends a refund back: that is heard through the trouble, and the second try arrives. */
export const backFromBank: Scenario = async (planId, fail, line) => {
  const buyer = await sale.createBuyer();
  const id = await sale.sell(buyer, planId);
  returnSandboxRefunds(1);
  fail();
  await giveBack(buyer, id);
  await worked(line);
  await nextRefundTry(id);
  await worked(line);
  const refunds = await db.execute<{ state: string }>(
    sql`select state from refunds where order_id = ${id} order by created_at, id`,
  );
  const end = `${await sale.getOrderStatus(id)}: ${refunds.map(({ state }) => state)}`;
  return end === "refunded: failed,succeeded" ? null : end;
};
