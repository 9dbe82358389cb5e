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
import * as sale from "../setup/sale";
import { dropSandboxEvents, returnSandboxRefunds } from "../setup/stripe-faults";
import { auditSale } from "./audit";
import { giveBack, nextRefundTry } from "./call-sites-ways";
import { seeded } from "./shopper";
import { type Line, lineOf } from "./table";

type Notice = { type: string; payload: object };

export async function bring(payload: object): Promise<void> {
  const body = JSON.stringify(payload);
  const secret = env().STRIPE_WEBHOOK_SECRET;
  await receiveWebhook(
    Buffer.from(body),
    Stripe.webhooks.generateTestHeaderString({ payload: body, secret }),
  );
}

const bankDecides = (intentId: string) =>
  db.execute(
    sql`update sandbox_intents set settles_at = shop_now() where id = ${intentId} and settles_at is not null`,
  );

const noticesOf = (intentId: string) =>
  db.execute<Notice>(sql`select type, payload from sandbox_events where type <> 'payment_intent.created'
    and ${intentId} in (payload->'data'->'object'->>'id', payload->'data'->'object'->>'payment_intent') order by created_at, id`);

/** Authentication, refusal, processing, refusal, processing, success: six notices of one payment. */
async function sixNotices(buyer: sale.Buyer, planId: number) {
  const id = await sale.orderOf(buyer, planId);
  const { intentId, clientSecret } = await sale.openPayment(buyer, id);
  for (const outcome of ["requires_action", "declined", "processing_failed"] as const)
    await confirmSandboxIntent(clientSecret, outcome);
  await bankDecides(intentId);
  await confirmSandboxIntent(clientSecret, "processing_succeeded");
  await bankDecides(intentId);
  await confirmSandboxIntent(clientSecret, "succeeded"); // a look at the intent settles it
  return { id, intentId, notices: await noticesOf(intentId) };
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

/** All 720 orders of six notices of a payment; beyond them shuffles with notices that come twice or never. */
export const eventOrders = (count: number, seed: number): Promise<Line> =>
  lineOf(
    {
      invariant: "Any order of events, same final state",
      trial: "an order of six notices of one payment (720 are all), then shuffles with doubles and losses",
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
      const buyers = await Promise.all(Array.from({ length: 8 }, () => sale.newBuyer()));
      const planId = (await createProduct({ plans: [{ keys: orders.length }] })).plans[0]!.id;
      for (let from = 0; from < orders.length; from += GROUP) {
        const group = orders
          .slice(from, from + GROUP)
          .map((order, at) => ({ order, buyer: buyers[at % 8]! }));
        const made: { id: string; order: number[]; notices: Notice[] }[] = [];
        await inLanes(group, 8, async ({ order, buyer }) => {
          made.push({ order, ...(await sixNotices(buyer, planId)) });
        });
        const longest = Math.max(...group.map(({ order }) => order.length));
        for (let step = 0; step < longest; step++) {
          await inLanes(made, 8, async ({ order, notices }) => {
            const notice = notices[order[step] ?? -1];
            if (notice) await bring(notice.payload);
          });
          if (step % 2 === 0) await sale.runQueue({ mails: false }); // worked off between two notices
        }
        await sale.runQueue();
        for (const { id, order, notices } of made) {
          line.trials++;
          if (notices.length !== 6) line.violations.push(`${notices.length} notices instead of six`);
          const history = await sale.historyOf(id);
          const end = history.filter((event) => !/^payment_(started|failed)$/.test(event)).join(" ");
          if (end !== STEPS) line.violations.push(`${order}: ${end}`);
        }
      }
      await sale.runQueue(); // reminders may have come due in the meantime
      line.violations.push(...(await auditSale({ atRest: true })));
      // Control: whoever believes the notice that came last is wrong wherever that is not the success.
      const wrong = all.filter((order) => order.at(-1) !== 5).length;
      line.control = `a reducer that believes the last notice is wrong in ${wrong} of 720`;
    },
  );

/** Every notice that the shop listens to, of payments, refunds and disputes, `times` at once. */
export const replays = (times: number, seed: number): Promise<Line> =>
  lineOf(
    {
      invariant: `${times} replays of every webhook change nothing`,
      trial: `a notice again, ${times} of each at once`,
      seed,
    },
    async (line) => {
      dropSandboxEvents();
      const planId = (await createProduct({ plans: [{ keys: 6, type: "month" }] })).plans[0]!.id;
      const stories = [
        await sixNotices(await sale.newBuyer(), planId),
        await refundedAtSecondTry(planId),
        await cancelled(planId),
        await disputed(planId),
      ];
      const notices: Notice[] = [];
      for (const { intentId } of stories) notices.push(...(await noticesOf(intentId)));
      notices.push(updated(notices.find(({ type }) => type === "refund.created")!));
      for (const { payload } of notices) await bring(payload);
      await sale.runQueue();
      const records = async () => (await Promise.all(stories.map(({ id }) => recordOf(id)))).join("\n");
      const before = await records();
      for (const { payload, type } of notices) {
        await Promise.all(Array.from({ length: times }, () => bring(payload)));
        await sale.runQueue();
        line.trials += times;
        if ((await records()) !== before) line.violations.push(`${type} changed something`);
      }
      const kinds = new Set(notices.map(({ type }) => type));
      const missing = WEBHOOK_EVENT_TYPES.filter((type) => !kinds.has(type));
      if (missing.length > 0) line.violations.push(`no notice of ${missing}`);
      line.control = `${notices.length} notices of ${kinds.size} kinds, all that the shop listens to`;
      line.violations.push(...(await auditSale({ atRest: true })));
    },
  );

/** The sandbox never says that a refund changed without failing; Stripe does. */
const updated = ({ payload }: Notice): Notice => {
  const type = "refund.updated";
  return { type, payload: { ...payload, id: "evt_refund_updated", type } };
};

type Story = { id: string; intentId: string };

/** Paid and given back; the bank sends the first refund back. */
async function refundedAtSecondTry(planId: number): Promise<Story> {
  const buyer = await sale.newBuyer();
  const id = await sale.orderOf(buyer, planId);
  const { intentId } = await sale.pay(buyer, id);
  await settlePayment(intentId);
  await sale.runQueue();
  returnSandboxRefunds(1);
  await giveBack(buyer, id);
  await sale.runQueue();
  for (const { payload } of await noticesOf(intentId)) await bring(payload); // that it came back
  await sale.runQueue();
  await nextRefundTry(id);
  await sale.runQueue();
  return { id, intentId };
}

async function cancelled(planId: number): Promise<Story> {
  const buyer = await sale.newBuyer();
  const id = await sale.orderOf(buyer, planId);
  const { intentId } = await sale.openPayment(buyer, id);
  await cancelOrder(buyer.viewer, { order_id: id });
  return { id, intentId };
}

async function disputed(planId: number): Promise<Story> {
  const buyer = await sale.newBuyer();
  const id = await sale.orderOf(buyer, planId);
  const { intentId } = await sale.pay(buyer, id);
  for (const status of ["needs_response", "under_review", "lost"] as const)
    await disputeSandboxPayment(intentId, status);
  return { id, intentId };
}

async function recordOf(orderId: string): Promise<string> {
  const disputes = await db.execute(sql`select * from disputes where order_id = ${orderId} order by id`);
  return `${await sale.recordOf(orderId)}\n${JSON.stringify(disputes)}`;
}
