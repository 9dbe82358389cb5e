import { sql } from "drizzle-orm";
import { Logger, runOnce } from "graphile-worker";
import pg from "pg";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { createCartLine } from "@/db/factories/orders";
import { SendMail } from "@/lib/notifications/contract";
import { expireOrder } from "@/lib/orders/cancellation/close-unpaid-order";
import type { DeliveryChoiceInput } from "@/lib/orders/delivery-options/contract";
import { receiveWebhook } from "@/lib/orders/payment/receive-webhook";
import { settlePayment } from "@/lib/orders/payment/settle-payment";
import { startPayment } from "@/lib/orders/payment/start-payment";
import { placeOrder } from "@/lib/orders/placing/place-order";
import type { OrderStatus } from "@/lib/orders/rules";
import type { SandboxOutcome } from "@/lib/payments/rules";
import { env } from "@/lib/platform/env";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { allJobs } from "@/scripts/work";
import { clearSandboxFaults, receiveSandboxEvents } from "./stripe-faults";

/** The steps of a sale for tests in one process: no server, no worker; jobs run when a test says so. */

export type Buyer = SignedInUser;
export const createBuyer = createSignedInUser;

/** Lets the limits on unpaid orders forget the buyer's earlier ones, for tests that reuse a buyer. */
export async function forgetHolds(buyer: { id: string }): Promise<void> {
  await db.execute(
    sql`delete from order_holds h using orders o where o.id = h.order_id and o.user_id = ${buyer.id}`,
  );
}

/**
 * Adds a plan to the buyer's cart and orders it, as a buyer without other unpaid orders; returns the order's id.
 * `tests/domain/orders-hoarding.test.ts` tests the limits.
 */
export async function orderPlan(
  buyer: Buyer,
  planId: number,
  quantity = 1,
  coupon?: string,
): Promise<string> {
  await forgetHolds(buyer);
  const line = await createCartLine(buyer.id, planId, { quantity });
  const input = { cart_record_ids: [line], coupon_code: coupon };
  const placed = await placeOrder(buyer.viewer, input, buyer.viewer.locale);
  return placed.order_id;
}

export type OpenPayment = { intentId: string; clientSecret: string };

export type DeliveryChoice = Pick<DeliveryChoiceInput, "immediate_delivery" | "keep_in_library">;

/** Opens the payment of an order as the call does; without a choice its codes are delivered immediately. */
export async function openPayment(
  buyer: Buyer,
  orderId: string,
  choice: DeliveryChoice = {},
): Promise<OpenPayment> {
  const input = { order_id: orderId, ...choice };
  const { client_secret: clientSecret } = await startPayment(buyer.viewer, input);
  const [row] = await db.execute<{ id: string }>(
    sql`select id from sandbox_intents where client_secret = ${clientSecret}`,
  );
  return { intentId: row!.id, clientSecret };
}

/** Opens the payment and confirms it with an outcome. The webhook or the sweeper does the rest. */
export async function pay(
  buyer: Buyer,
  orderId: string,
  outcome: SandboxOutcome = "succeeded",
  choice: DeliveryChoice = {},
): Promise<OpenPayment> {
  const payment = await openPayment(buyer, orderId, choice);
  await confirmSandboxIntent(payment.clientSecret, outcome);
  return payment;
}

/** Orders a plan, pays for it, and runs the jobs: keys are assigned and emailed. Returns the order's id. */
export async function sell(buyer: Buyer, planId: number, quantity = 1, coupon?: string): Promise<string> {
  const orderId = await orderPlan(buyer, planId, quantity, coupon);
  await pay(buyer, orderId);
  await processEvents();
  return orderId;
}

/** Sells a plan as `sell` does, without sending the email of the keys, so that a refund is immediate. */
export async function sellWithoutMails(buyer: Buyer, planId: number, quantity = 1): Promise<string> {
  const orderId = await orderPlan(buyer, planId, quantity);
  await pay(buyer, orderId);
  await waitForEvents();
  await runQueue({ mails: false });
  return orderId;
}

/** Sells a plan with a delivery choice, as `sell` does. */
export async function sellWithChoice(
  buyer: Buyer,
  planId: number,
  choice: DeliveryChoice,
  quantity = 1,
): Promise<string> {
  const orderId = await orderPlan(buyer, planId, quantity);
  await pay(buyer, orderId, "succeeded", choice);
  await processEvents();
  return orderId;
}

/** Removes the delivery choice of an order: it was paid before the choice existed. */
export async function removeDeliveryChoice(orderId: string): Promise<void> {
  await db.execute(
    sql`update order_lines set immediate_delivery = null, immediate_consent_at = null, consent = null where order_id = ${orderId}`,
  );
}

/** Webhook events of the sandbox are received in this process, without HTTP. */
export function receiveEventsInProcess(): void {
  receiveSandboxEvents(async (body, signature) => {
    await receiveWebhook(Buffer.from(body), signature);
    return 200;
  });
}

/**
 * Waits until every webhook event was delivered once. Duplicates of some arrive later. Events that a test left when its clock was
 * ahead are not due again, so nobody waits for them.
 */
export async function waitForEvents(): Promise<void> {
  for (;;) {
    const rows = await db.execute(
      sql`select 1 from sandbox_events where due_at < shop_now() + interval '1 hour' and deliveries = 0 limit 1`,
    );
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Waits until no webhook event will be delivered any more, the late duplicates included. */
export async function waitForLastEvents(): Promise<void> {
  while ((await db.execute(sql`select 1 from sandbox_events where due_at is not null limit 1`)).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Waits for the webhook events and runs the queued jobs. */
export async function processEvents(): Promise<void> {
  await waitForEvents();
  await runQueue();
}

/** The provider takes the money after the order was cancelled. */
export async function payLate(intentId: string): Promise<void> {
  await db.execute(
    sql`update sandbox_intents set status = 'succeeded', received_cents = amount_cents where id = ${intentId}`,
  );
  await settlePayment(intentId);
  await processEvents();
}

let pool: pg.Pool | undefined;

/** Runs the due jobs, and the jobs that they queue, with the real task list; without emails if `mails` is false. */
export async function runQueue({ mails = true } = {}): Promise<void> {
  pool ??= new pg.Pool({ connectionString: env().DATABASE_URL, max: 4 })
    .on("error", () => {})
    .on("connect", (connection) => connection.on("error", () => {}));
  await runOnce({
    pgPool: pool,
    concurrency: 2,
    noHandleSignals: true,
    taskList: Object.fromEntries(
      allJobs
        .filter((job) => mails || job.name !== SendMail.name)
        .map((job) => [job.name, (payload: unknown) => job.run(job.schema.parse(payload))]),
    ),
    logger: new Logger(() => () => {}),
  });
  // The runner does not wait until the last job is recorded as completed.
  for (let attempt = 0; attempt < 200; attempt++) {
    const lockedJobs = await db.execute(
      sql`select 1 from graphile_worker.jobs where locked_by is not null limit 1`,
    );
    if (lockedJobs.length === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const [failed] = await db.execute<{ task_identifier: string; last_error: string }>(
    sql`select task_identifier, last_error from graphile_worker.jobs where last_error is not null limit 1`,
  );
  if (failed) throw new Error(`the job ${failed.task_identifier} failed: ${failed.last_error}`);
}

/** Sets the shop's clock ahead of the database's, e.g. `31 minutes`; `0` resets it. */
export async function setClockAhead(interval: string): Promise<void> {
  await db.execute(sql`update shop_clock set shift = ${interval}::interval`);
  await db.execute(
    sql`update sandbox_events set due_at = shop_now() where due_at > shop_now() + interval '1 minute'`,
  );
}

/** Ends the hold of an unpaid order and releases what it held. */
export async function expireHold(orderId: string): Promise<void> {
  await db.execute(sql`update orders set hold_ends_at = shop_now() where id = ${orderId}`);
  await expireOrder(orderId);
}

export async function getOrderStatus(orderId: string): Promise<OrderStatus | undefined> {
  const [row] = await db.execute<{ status: OrderStatus }>(
    sql`select status from orders where id = ${orderId}`,
  );
  return row?.status;
}

/** The names of an order's events, oldest first. */
export async function listOrderEvents(orderId: string): Promise<string[]> {
  const rows = await db.execute<{ event: string }>(
    sql`select event from order_events where order_id = ${orderId} order by id`,
  );
  return rows.map((row) => row.event);
}

/** The number of keys of a plan by state. */
export async function countKeysByState(planId: number): Promise<Record<string, number>> {
  const rows = await db.execute<{ state: string; n: number }>(
    sql`select state, count(*)::int as n from keys where plan_id = ${planId} group by state`,
  );
  return Object.fromEntries(rows.map((row) => [row.state, row.n]));
}

/** All rows of an order as text, to compare them before and after. */
export async function getOrderRecord(orderId: string): Promise<string> {
  const [row] = await db.execute<{ record: object }>(sql`select jsonb_build_object(
    'order', (select to_jsonb(o) from orders o where id = ${orderId}),
    'lines', (select jsonb_agg(to_jsonb(l) order by id) from order_lines l where order_id = ${orderId}),
    'events', (select jsonb_agg(to_jsonb(e) order by id) from order_events e where order_id = ${orderId}),
    'payments', (select jsonb_agg(to_jsonb(p) - 'updated_at' order by id) from payments p where order_id = ${orderId}),
    'refunds', (select jsonb_agg(to_jsonb(r) - 'updated_at' order by id) from refunds r where order_id = ${orderId}),
    'ledger', (select jsonb_agg(to_jsonb(g) order by id) from ledger_entries g where order_id = ${orderId}),
    'audit', (select jsonb_agg(to_jsonb(a) order by id) from audit_entries a where subject = ${orderId}),
    'mails', (select jsonb_agg(to_jsonb(m) order by id) from mails m where refs->>'orderId' = ${orderId}),
    'keys', (select jsonb_agg(to_jsonb(k) - 'sealed' order by k.id) from keys k join order_lines l on l.id = k.order_line_id
      where l.order_id = ${orderId})) as record`);
  return JSON.stringify(row!.record, null, 1);
}

/** Event and state of an order's emails, e.g. `keys sent`. */
export async function listOrderMails(orderId: string): Promise<string[]> {
  const rows = await db.execute<{ mail: string }>(sql`
    select event || ' ' || state as mail from mails where refs->>'orderId' = ${orderId}
      or refs->>'refundId' in (select id from refunds where order_id = ${orderId}) order by created_at, event`);
  return rows.map((row) => row.mail);
}

export async function closeSale(): Promise<void> {
  clearSandboxFaults();
  const ended = pool?.end();
  pool = undefined; // the next file of this process opens another one
  await ended;
  await closeDatabase();
}
