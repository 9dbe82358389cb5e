import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { settlePayment } from "@/lib/orders/payment/settle-payment";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { reviewSandboxPayment, warnOfSandboxPayment } from "@/lib/platform/stripe/sandbox/radar";
import { WEBHOOK_EVENT_TYPES } from "@/lib/platform/stripe/webhook";
import { auditSale } from "@/tests/setup/audit";
import * as sale from "@/tests/setup/sale";
import { disputeSandboxPayment } from "@/tests/setup/sandbox-bank";
import { seeded } from "@/tests/setup/shopper";
import { dropSandboxEvents, returnSandboxRefunds } from "@/tests/setup/stripe-faults";
import { deliverEvent, settleNow } from "@/tests/setup/webhook-events";
import { refundOrder, retryRefund } from "./provider-call-scenarios";
import { runTrial, type TrialResult } from "./table";

type StoredEvent = { type: string; payload: object };

const findEvents = (intentId: string) =>
  db.execute<StoredEvent>(
    sql`select type, payload from sandbox_events where ${intentId} in (payload->'data'->'object'->>'id', payload->'data'->'object'->>'payment_intent') order by created_at, id`,
  );

/** A payment with six events: authentication, decline, processing, decline, processing, success. */
async function paySixEvents(buyer: sale.Buyer, planId: number) {
  const id = await sale.orderPlan(buyer, planId);
  const { intentId, clientSecret } = await sale.openPayment(buyer, id);
  for (const outcome of ["requires_action", "declined", "processing_failed"] as const)
    await confirmSandboxIntent(clientSecret, outcome);
  await settleNow(intentId);
  await confirmSandboxIntent(clientSecret, "processing_succeeded");
  await settleNow(intentId);
  await confirmSandboxIntent(clientSecret, "succeeded"); // a read of the intent settles it
  return { id, intentId, events: await findEvents(intentId) };
}

function permutations<T>(items: T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

async function forEachConcurrently<T>(
  items: T[],
  concurrency: number,
  action: (item: T) => Promise<unknown>,
): Promise<void> {
  const remaining = [...items];
  const worker = async () => {
    for (let item = remaining.shift(); item !== undefined; item = remaining.shift()) await action(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

const EXPECTED_EVENTS = "created payment_verified assigned delivered";
const GROUP_SIZE = 24;

/** All 720 orders of six events of a payment; then shuffles with events that are repeated or lost. */
export const eventOrders = (count: number, seed: number): Promise<TrialResult> =>
  runTrial(
    {
      invariant: "Any order of events leads to the same final state",
      trial:
        "an order of six events of one payment (720 are all), then shuffles with repeated and lost events",
      seed,
    },
    async (result) => {
      dropSandboxEvents();
      const random = seeded(seed);
      const all = permutations([0, 1, 2, 3, 4, 5]);
      const shuffled = (): number[] => {
        const picks = Array.from({ length: 4 + Math.floor(random() * 8) }, () => Math.floor(random() * 6));
        return picks.includes(5) ? picks : [...picks, 5];
      };
      const exact = all.filter((_, index) => count >= 720 || index % Math.ceil(720 / count) === 0);
      const orders = [...exact, ...Array.from({ length: Math.ceil(count / 3) }, shuffled)];
      const buyers = await Promise.all(Array.from({ length: 8 }, () => sale.createBuyer()));
      const planId = (await createProduct({ plans: [{ keys: orders.length }] })).plans[0]!.id;
      for (let from = 0; from < orders.length; from += GROUP_SIZE) {
        const group = orders
          .slice(from, from + GROUP_SIZE)
          .map((order, index) => ({ order, buyer: buyers[index % 8]! }));
        const payments: { id: string; order: number[]; events: StoredEvent[] }[] = [];
        await forEachConcurrently(group, 8, async ({ order, buyer }) => {
          payments.push({ order, ...(await paySixEvents(buyer, planId)) });
        });
        const longest = Math.max(...group.map(({ order }) => order.length));
        for (let step = 0; step < longest; step++) {
          await forEachConcurrently(payments, 8, async ({ order, events }) => {
            const event = events[order[step] ?? -1];
            if (event) await deliverEvent(event.payload);
          });
          if (step % 2 === 0) await sale.runQueue({ mails: false }); // runs the jobs between two events
        }
        await sale.runQueue();
        for (const { id, order, events } of payments) {
          result.trials++;
          if (events.length !== 6) result.violations.push(`${events.length} events instead of six`);
          const history = await sale.listOrderEvents(id);
          const finalEvents = history.filter((event) => !/^payment_(started|failed)$/.test(event)).join(" ");
          if (finalEvents !== EXPECTED_EVENTS) result.violations.push(`${order}: ${finalEvents}`);
        }
      }
      await sale.runQueue(); // reminders may have come due in the meantime
      result.violations.push(...(await auditSale({ whenIdle: true })));
      // The broken variant trusts the last event, so it is wrong unless the last event is the success.
      const wrongCount = all.filter((order) => order.at(-1) !== 5).length;
      result.brokenVariant = `a reducer that trusts the last event is wrong in ${wrongCount} of 720`;
    },
  );

/** Sends an event of every subscribed type `times` concurrently. */
export const replays = (times: number, seed: number): Promise<TrialResult> =>
  runTrial(
    {
      invariant: `${times} replays of every webhook event change nothing`,
      trial: `a repeated event, ${times} of each at once`,
      seed,
    },
    async (result) => {
      dropSandboxEvents();
      const planId = (await createProduct({ plans: [{ keys: 8, type: "month" }] })).plans[0]!.id;
      const histories = [
        await paySixEvents(await sale.createBuyer(), planId),
        await createRefundWithRetry(planId),
        await createCancelledOrder(planId),
        await createDisputedOrder(planId),
        await createSuspectedOrder(planId),
      ];
      const events: StoredEvent[] = [];
      for (const { intentId } of histories) events.push(...(await findEvents(intentId)));
      const refundCreated = events.find(({ type }) => type === "refund.created")!;
      events.push(toRefundUpdated(refundCreated), toChargeRefunded(refundCreated));
      for (const { payload } of events) await deliverEvent(payload);
      await sale.runQueue();
      const records = async () => (await Promise.all(histories.map(({ id }) => getRecord(id)))).join("\n");
      const before = await records();
      for (const { payload, type } of events) {
        await Promise.all(Array.from({ length: times }, () => deliverEvent(payload)));
        await sale.runQueue();
        result.trials += times;
        if ((await records()) !== before) result.violations.push(`${type} changed something`);
      }
      const kinds = new Set(events.map(({ type }) => type));
      const missing = WEBHOOK_EVENT_TYPES.filter((type) => !kinds.has(type));
      if (missing.length > 0) result.violations.push(`no event of ${missing}`);
      result.brokenVariant = `${events.length} events of ${kinds.size} types, all subscribed ones`;
      result.violations.push(...(await auditSale({ whenIdle: true })));
    },
  );

/** Stripe sends these events about a refund that the shop has requested; the sandbox does not. */
const toRefundUpdated = ({ payload }: StoredEvent): StoredEvent => {
  const type = "refund.updated";
  return { type, payload: { ...payload, id: "evt_refund_updated", type } };
};
const toChargeRefunded = ({ payload }: StoredEvent): StoredEvent => {
  const type = "charge.refunded";
  const { payment_intent } = (payload as { data: { object: { payment_intent: string } } }).data.object;
  const object = { id: `ch_${payment_intent}`, object: "charge", payment_intent };
  return { type, payload: { ...payload, id: "evt_charge_refunded", type, data: { object } } };
};

type PaymentHistory = { id: string; intentId: string };

/** A paid order with a refund that the bank returns, and a second one that succeeds. */
async function createRefundWithRetry(planId: number): Promise<PaymentHistory> {
  const buyer = await sale.createBuyer();
  const id = await sale.orderPlan(buyer, planId);
  const { intentId } = await sale.pay(buyer, id);
  await settlePayment(intentId);
  await sale.runQueue();
  returnSandboxRefunds(1);
  await refundOrder(buyer, id);
  await sale.runQueue();
  for (const { payload } of await findEvents(intentId)) await deliverEvent(payload); // with the failed refund
  await sale.runQueue();
  await retryRefund(id);
  await sale.runQueue();
  return { id, intentId };
}

async function createCancelledOrder(planId: number): Promise<PaymentHistory> {
  const buyer = await sale.createBuyer();
  const id = await sale.orderPlan(buyer, planId);
  const { intentId } = await sale.openPayment(buyer, id);
  await cancelOrder(buyer.viewer, { order_id: id });
  return { id, intentId };
}

async function createDisputedOrder(planId: number): Promise<PaymentHistory> {
  const buyer = await sale.createBuyer();
  const id = await sale.orderPlan(buyer, planId);
  const { intentId } = await sale.pay(buyer, id);
  for (const status of ["needs_response", "under_review", "lost"] as const)
    await disputeSandboxPayment(intentId, status);
  return { id, intentId };
}

/** The provider reviews a payment, lets it pass, and a bank warns of fraud later. */
async function createSuspectedOrder(planId: number): Promise<PaymentHistory> {
  const buyer = await sale.createBuyer();
  const id = await sale.orderPlan(buyer, planId);
  const { intentId } = await sale.pay(buyer, id);
  await reviewSandboxPayment(intentId, null);
  await reviewSandboxPayment(intentId, "approved");
  await warnOfSandboxPayment(intentId);
  return { id, intentId };
}

async function getRecord(orderId: string): Promise<string> {
  const tables = ["disputes", "fraud_warnings", "payment_reviews"];
  const rows = await Promise.all(
    tables.map((table) =>
      db.execute(sql`select * from ${sql.raw(table)} where order_id = ${orderId} order by id`),
    ),
  );
  return `${await sale.getOrderRecord(orderId)}\n${JSON.stringify(rows)}`;
}
