import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { reconcileWithProvider } from "@/lib/orders/reconciliation/commands";
import { addCard, confirmSandboxCard, deleteCard, deleteCustomer } from "@/lib/payments/cards/commands";
import { findCustomer, listCards } from "@/lib/payments/cards/queries";
import { createPaymentIntent } from "@/lib/payments/commands";
import { isShopError } from "@/lib/platform/errors";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { disputeSandboxPayment } from "@/lib/platform/stripe/sandbox/disputes";
import * as sale from "../setup/sale";
import { dropSandboxEvents, returnSandboxRefunds } from "../setup/stripe-faults";
import { giveBack, insist, nextRefundTry, type Scenario, worked } from "./call-sites-ways";

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
