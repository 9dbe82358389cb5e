import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { sweepJob } from "@/lib/orders/jobs";
import { settleAndAssign } from "@/lib/orders/payment/settle-payment";
import { startPayment } from "@/lib/orders/payment/start-payment";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { redirectLink } from "@/lib/platform/stripe/sandbox/objects";
import { answerRedirect, type RedirectChoice } from "@/lib/platform/stripe/sandbox/redirects";
import { auditSale } from "../setup/audit";
import { type Break, breakConnection } from "../setup/broken-connection";
import { endRefundClaims } from "../setup/queue";
import { rounds } from "../setup/rounds";
import * as sale from "../setup/sale";
import { dropSandboxEvents } from "../setup/stripe-faults";

/**
 * A payment on the page of a method that redirects, through each of its endings, by a process that is killed at one of its
 * writes. No event of the provider arrives, so the shop finds out by itself (docs/product.md#75-orders-and-payment).
 */
beforeAll(dropSandboxEvents);
afterAll(sale.closeSale);

/** Every how many writes one is tried. */
const STRIDE = rounds(2, 20);

type Sale = { buyer: sale.Buyer; planId: number; coupon: string; orderId: string };
type Step = (sale: Sale) => Promise<unknown>;

const intentOf = async ({ orderId }: Sale) => {
  const [intent] = await db.execute<{ id: string; clientSecret: string }>(sql`
    select i.id, i.client_secret as "clientSecret" from payments p join sandbox_intents i on i.id = p.intent_id
    where p.order_id = ${orderId}`);
  return intent!;
};

// What the shop does, in a process that may be killed.
const open: Step = ({ buyer, orderId }) => startPayment(buyer.viewer, { order_id: orderId });
const settle: Step = async (it) => settleAndAssign((await intentOf(it)).id);
const sweep: Step = () => sweepJob.run(undefined);
const KILLABLE = new Set([open, settle, sweep]);

// What others do meanwhile, and the queue's jobs (lab/faults/kill-at-write-trial.ts kills them).
const work: Step = () => sale.runQueue();
const leave: Step = async (it) =>
  confirmSandboxIntent((await intentOf(it)).clientSecret, "succeeded", "alipay", "/payment/success");
const answer =
  (choice: RedirectChoice): Step =>
  async (it) => {
    const intent = await intentOf(it);
    expect(await answerRedirect(intent.id, redirectLink(intent), choice)).not.toBeNull();
  };
const decide: Step = ({ orderId }) =>
  db.execute(sql`
    update sandbox_intents i set settles_at = shop_now() from payments p where p.intent_id = i.id and p.order_id = ${orderId}`);
/** The hold ends, and everything else of the order is overdue. */
const wait: Step = async ({ orderId }) => {
  await db.execute(
    sql`update orders set hold_ends_at = shop_now() - interval '1 second' where id = ${orderId}`,
  );
  await db.execute(
    sql`update payments set updated_at = updated_at - interval '3 minutes' where order_id = ${orderId}`,
  );
  await endRefundClaims();
};
const sellOut: Step = async ({ planId }) => sale.orderPlan(await sale.createBuyer(), planId);
/** The method takes the money although the payment was cancelled. */
const payAnyway: Step = ({ orderId }) =>
  db.execute(sql`
    update sandbox_intents i set status = 'succeeded', received_cents = i.amount_cents, latest_charge = 'ch_' || i.id
    from payments p where p.intent_id = i.id and p.order_id = ${orderId}`);

const beginning = [open, leave, settle];
const end = [wait, sweep, work];
const unpaid = { status: "cancelled", key: "available", coupon: "open", held: 0, refunds: 0 };
const ENDINGS: [string, Step[], object][] = [
  [
    "paid later",
    [...beginning, answer("later_paid"), settle, wait, sweep, decide, wait, sweep, work],
    { status: "completed", key: "assigned", coupon: "used", held: 700, refunds: 0, mails: ["keys"] },
  ],
  [
    "refused later",
    [...beginning, answer("later_refused"), settle, decide, settle, work, ...end],
    { ...unpaid, mails: ["payment-failed"] },
  ],
  ["refused", [...beginning, answer("refused"), settle, ...end], { ...unpaid, mails: [] }],
  ["over", [...beginning, answer("expired"), settle, ...end], { ...unpaid, mails: [] }],
  ["left in a closed tab", [open, leave, ...end], { ...unpaid, mails: [] }],
  [
    "paid after its order has ended and its pass is sold",
    [...beginning, ...end, sellOut, payAnyway, settle, work, wait, sweep, work],
    { status: "refunded", key: "reserved", coupon: "open", held: 0, refunds: 1, mails: ["refund"] },
  ],
];

async function prepare(): Promise<Sale> {
  const buyer = await sale.createBuyer();
  const planId = (await createSinglePlan({ keys: 1 })).id;
  const coupon = await createCoupon({ amountCents: 300, userId: buyer.id });
  return { buyer, planId, coupon, orderId: await sale.orderPlan(buyer, planId, 1, coupon) };
}

/** Plays an ending whose n-th step is killed and done once more. Returns whether the step made that many writes. */
async function play(steps: Step[], killed: number, kill: Break, expected: object): Promise<boolean> {
  const it = await prepare();
  let reached = false;
  for (const [n, step] of steps.entries()) {
    if (n === killed) {
      reached = await breakConnection(kill, () => step(it));
    }
    if (n !== killed || reached) await step(it);
  }
  const [row] = await db.execute<Record<string, unknown>>(sql`
    select o.status, (select k.state from keys k where k.plan_id = ${it.planId}) as key,
      (select state from coupons where code = ${it.coupon}) as coupon,
      (select (i.received_cents - i.refunded_cents)::int from payments p join sandbox_intents i on i.id = p.intent_id
        where p.order_id = o.id) as held,
      (select count(*)::int from refunds r where r.order_id = o.id and r.state = 'succeeded') as refunds,
      (select coalesce(json_agg(m.event order by m.event), '[]') from mails m where m.refs->>'orderId' = o.id
        or m.refs->>'refundId' in (select id from refunds where order_id = o.id)) as mails
    from orders o where o.id = ${it.orderId}`);
  expect(row, `step ${killed}, write ${kill.at}, ${kill.when}`).toEqual(expected);
  return reached;
}

it.each(ENDINGS)(
  "a payment elsewhere that is %s ends right, at whichever write the shop is killed",
  async (name, steps, expected) => {
    let kills = 0;
    for (const [n, step] of steps.entries()) {
      if (!KILLABLE.has(step)) continue;
      for (const when of ["before", "after"] as const)
        for (let at = when === "before" ? 1 : 1 + Math.floor(STRIDE / 2); ; at += STRIDE) {
          if (!(await play(steps, n, { at, when }, expected))) break;
          kills += 1;
        }
    }
    expect(kills).toBeGreaterThan(3);
    expect(await auditSale()).toEqual([]);
    console.log(`A payment elsewhere that is ${name}: ${kills} kills`);
  },
  900_000,
);
