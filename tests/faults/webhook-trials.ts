import { sql } from "drizzle-orm";
import Stripe from "stripe";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { cancelOrder } from "@/lib/orders/cancellation/commands";
import { receiveWebhook, settlePayment } from "@/lib/orders/payment/commands";
import { env } from "@/lib/platform/env";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { disputeSandboxPayment } from "@/lib/platform/stripe/sandbox/disputes";
import { WEBHOOK_EVENT_TYPES } from "@/lib/platform/stripe/webhook";
import * as sale from "@/tests/setup/sale";
import { dropSandboxEvents, returnSandboxRefunds } from "@/tests/setup/stripe-faults";
import { auditSale } from "./audit";
import { giveBack, nextRefundTry } from "./provider-call-scenarios";
import { seeded } from "./shopper";
import { type Line, lineOf } from "./table";

type StoredEvent = { type: string; payload: object };

export async function deliverEvent(payload: object): Promise<void> {
  const body = JSON.stringify(payload);
  const secret = env().STRIPE_WEBHOOK_SECRET;
  await receiveWebhook(
    Buffer.from(body),
    Stripe.webhooks.generateTestHeaderString({ payload: body, secret }),
  );
}

const settleNow = (intentId: string) =>
  db.execute(
    sql`update sandbox_intents set settles_at = shop_now() where id = ${intentId} and settles_at is not null`,
  );

const findEvents = (intentId: string) =>
  db.execute<StoredEvent>(
    sql`select type, payload from sandbox_events where ${intentId} in (payload->'data'->'object'->>'id', payload->'data'->'object'->>'payment_intent') order by created_at, id`,
  );

/** A payment with six events: authentication, refusal, processing, refusal, processing, success. */
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
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

async function inLanes<T>(items: T[], width: number, work: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items];
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

const STEPS = "created payment_verified assigned delivered";
const GROUP = 24;

/** All 720 orders of six events of a payment; then shuffles with events that are repeated or lost. */
export const eventOrders = (count: number, seed: number): Promise<Line> =>
  lineOf(
    {
      invariant: "Any order of events, same final state",
      trial:
        "an order of six events of one payment (720 are all), then shuffles with repeated and lost events",
      seed,
    },
    async (line) => {
      dropSandboxEvents();
      const random = seeded(seed);
      const all = permutations([0, 1, 2, 3, 4, 5]);
      const shuffled = (): number[] => {
        const picks = Array.from({ length: 4 + Math.floor(random() * 8) }, () => Math.floor(random() * 6));
        return picks.includes(5) ? picks : [...picks, 5];
      };
      const exact = all.filter((_, at) => count >= 720 || at % Math.ceil(720 / count) === 0);
      const orders = [...exact, ...Array.from({ length: Math.ceil(count / 3) }, shuffled)];
      const buyers = await Promise.all(Array.from({ length: 8 }, () => sale.createBuyer()));
      const planId = (await createProduct({ plans: [{ keys: orders.length }] })).plans[0]!.id;
      for (let from = 0; from < orders.length; from += GROUP) {
        const group = orders
          .slice(from, from + GROUP)
          .map((order, at) => ({ order, buyer: buyers[at % 8]! }));
        const made: { id: string; order: number[]; events: StoredEvent[] }[] = [];
        await inLanes(group, 8, async ({ order, buyer }) => {
          made.push({ order, ...(await paySixEvents(buyer, planId)) });
        });
        const longest = Math.max(...group.map(({ order }) => order.length));
        for (let step = 0; step < longest; step++) {
          await inLanes(made, 8, async ({ order, events }) => {
            const event = events[order[step] ?? -1];
            if (event) await deliverEvent(event.payload);
          });
          if (step % 2 === 0) await sale.runQueue({ mails: false }); // runs the jobs between two events
        }
        await sale.runQueue();
        for (const { id, order, events } of made) {
          line.trials++;
          if (events.length !== 6) line.violations.push(`${events.length} events instead of six`);
          const history = await sale.listOrderEvents(id);
          const end = history.filter((event) => !/^payment_(started|failed)$/.test(event)).join(" ");
          if (end !== STEPS) line.violations.push(`${order}: ${end}`);
        }
      }
      await sale.runQueue(); // reminders may have come due in the meantime
      line.violations.push(...(await auditSale({ atRest: true })));
      // Control: a reducer that believes the last event is wrong unless the last event is the success.
      const wrong = all.filter((order) => order.at(-1) !== 5).length;
      line.control = `a reducer that believes the last event is wrong in ${wrong} of 720`;
    },
  );

/** Every event type that the shop subscribes to, of payments, refunds and disputes, `times` at once. */
export const replays = (times: number, seed: number): Promise<Line> =>
  lineOf(
    {
      invariant: `${times} replays of every webhook change nothing`,
      trial: `a repeated event, ${times} of each at once`,
      seed,
    },
    async (line) => {
      dropSandboxEvents();
      const planId = (await createProduct({ plans: [{ keys: 6, type: "month" }] })).plans[0]!.id;
      const stories = [
        await paySixEvents(await sale.createBuyer(), planId),
        await refundedAtSecondTry(planId),
        await cancelled(planId),
        await disputed(planId),
      ];
      const events: StoredEvent[] = [];
      for (const { intentId } of stories) events.push(...(await findEvents(intentId)));
      events.push(updated(events.find(({ type }) => type === "refund.created")!));
      for (const { payload } of events) await deliverEvent(payload);
      await sale.runQueue();
      const records = async () => (await Promise.all(stories.map(({ id }) => recordOf(id)))).join("\n");
      const before = await records();
      for (const { payload, type } of events) {
        await Promise.all(Array.from({ length: times }, () => deliverEvent(payload)));
        await sale.runQueue();
        line.trials += times;
        if ((await records()) !== before) line.violations.push(`${type} changed something`);
      }
      const kinds = new Set(events.map(({ type }) => type));
      const missing = WEBHOOK_EVENT_TYPES.filter((type) => !kinds.has(type));
      if (missing.length > 0) line.violations.push(`no event of ${missing}`);
      line.control = `${events.length} events of ${kinds.size} types, all that the shop subscribes to`;
      line.violations.push(...(await auditSale({ atRest: true })));
    },
  );

/** Stripe sends this event, the sandbox does not. */
const updated = ({ payload }: StoredEvent): StoredEvent => {
  const type = "refund.updated";
  return { type, payload: { ...payload, id: "evt_refund_updated", type } };
};

type Story = { id: string; intentId: string };

/** A paid order with a refund that the bank returns, and a second one that succeeds. */
async function refundedAtSecondTry(planId: number): Promise<Story> {
  const buyer = await sale.createBuyer();
  const id = await sale.orderPlan(buyer, planId);
  const { intentId } = await sale.pay(buyer, id);
  await settlePayment(intentId);
  await sale.runQueue();
  returnSandboxRefunds(1);
  await giveBack(buyer, id);
  await sale.runQueue();
  for (const { payload } of await findEvents(intentId)) await deliverEvent(payload); // with the failed refund
  await sale.runQueue();
  await nextRefundTry(id);
  await sale.runQueue();
  return { id, intentId };
}

async function cancelled(planId: number): Promise<Story> {
  const buyer = await sale.createBuyer();
  const id = await sale.orderPlan(buyer, planId);
  const { intentId } = await sale.openPayment(buyer, id);
  await cancelOrder(buyer.viewer, { order_id: id });
  return { id, intentId };
}

async function disputed(planId: number): Promise<Story> {
  const buyer = await sale.createBuyer();
  const id = await sale.orderPlan(buyer, planId);
  const { intentId } = await sale.pay(buyer, id);
  for (const status of ["needs_response", "under_review", "lost"] as const)
    await disputeSandboxPayment(intentId, status);
  return { id, intentId };
}

async function recordOf(orderId: string): Promise<string> {
  const disputes = await db.execute(sql`select * from disputes where order_id = ${orderId} order by id`);
  return `${await sale.getOrderRecord(orderId)}\n${JSON.stringify(disputes)}`;
}
