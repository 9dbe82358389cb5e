import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { cancelOrder } from "@/lib/orders/cancellation/commands";
import { createPaymentIntent } from "@/lib/payments/commands";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import * as sale from "@/tests/setup/sale";
import {
  clearSandboxFaults,
  failSandbox,
  type SandboxFault,
  type SandboxOperation,
} from "@/tests/setup/stripe-faults";
import { auditSale } from "./audit";
import {
  backFromBank,
  compared,
  disputed,
  giveBack,
  insist,
  keepAndForget,
  payWithWish,
  type Scenario,
  worked,
} from "./provider-call-scenarios";
import { type Line, lineOf } from "./table";

const open: Scenario = (planId, fail, line) => sellAndGiveBack(planId, { fail, atRefund: false }, line);
const takeBack: Scenario = (planId, fail, line) => sellAndGiveBack(planId, { fail, atRefund: true }, line);

/** Every call that the shop makes; confirming is what a browser does. */
const WAYS: Record<Exclude<SandboxOperation, "confirm_intent">, Scenario> = {
  list_intents: compared, // first, while there are few rows to compare
  list_refunds: compared,
  list_disputes: compared,
  create_intent: open,
  retrieve_intent: open,
  cancel_intent: letGo,
  create_refund: takeBack,
  retrieve_refund: backFromBank,
  update_intent: payWithWish,
  retrieve_dispute: disputed,
  create_customer: keepAndForget,
  create_setup: keepAndForget,
  retrieve_setup: keepAndForget,
  retrieve_card: keepAndForget,
  list_cards: keepAndForget,
  detach_card: keepAndForget,
  delete_customer: keepAndForget,
};
const SITES = Object.entries(WAYS) as [SandboxOperation, Scenario][];
const KINDS = ["500", "502", "timeout", "reset", "junk", "not_json", "not_object"] as const;
type Case = { site: SandboxOperation; way: Scenario; fault: SandboxFault };

const CASES: Case[] = SITES.flatMap(([site, way]) =>
  (["before", "after"] as const).flatMap((when) => KINDS.map((as) => ({ site, way, fault: { when, as } }))),
);
export const CALL_SITE_CASES = CASES.length;
/**
 * The Stripe client tries three times, so the shop notices this many faults in a row, also if two jobs (of two events of one
 * refund) share them.
 */
const FAULTS = 5;

/** Every kind of trouble at every call to the provider, before it has done what it was asked, and after. */
export const callSites = (count: number, seed: number): Promise<Line> =>
  lineOf(
    {
      invariant: "Provider trouble at any call loses nothing",
      trial: `500, 502, timeout, reset, junk, no JSON, no object at each of ${SITES.length} calls, before and after`,
      seed,
    },
    async (line) => {
      const planId = (await createProduct({ plans: [{ keys: 200, type: "month" }] })).plans[0]!.id;
      // A stride without a common factor with the list, so that few cases cover all sites and kinds.
      const chosen = CASES.filter((_, at) => (at * count) % CASES.length < count);
      for (const { site, way, fault } of chosen) {
        line.trials++;
        const before = line.heals.length;
        const wrong = await way(planId, () => failSandbox(site, fault, FAULTS), line).catch(
          (error: Error) => error.message,
        );
        clearSandboxFaults();
        sale.receiveEventsInProcess();
        const where = `${site}, ${fault.when}, ${fault.as}`;
        if (wrong) line.violations.push(`${where}: ${wrong}`);
        else if (line.heals.length === before) line.violations.push(`${where}: nothing went wrong there`);
      }
      line.violations.push(...(await auditSale({ atRest: true })));
    },
  );

type Trouble = { fail: () => void; atRefund: boolean };

async function sellAndGiveBack(
  planId: number,
  { fail, atRefund }: Trouble,
  line: Line,
): Promise<string | null> {
  const buyer = await sale.createBuyer();
  const id = await sale.orderPlan(buyer, planId);
  if (!atRefund) fail();
  const open = () => createPaymentIntent(buyer.viewer, { order_id: id });
  const { client_secret } = await insist(line, open);
  await insist(line, open);
  await confirmSandboxIntent(client_secret, "succeeded");
  await worked(line);
  if ((await sale.getOrderStatus(id)) !== "completed")
    return `${await sale.getOrderStatus(id)} after the payment`;
  if (atRefund) fail();
  await giveBack(buyer, id);
  await worked(line);
  const [end] = await db.execute<{ back: number; times: number }>(sql`
    select coalesce(sum(r.amount_cents), 0)::int as back, count(*)::int as times from sandbox_refunds r
    join payments p on p.intent_id = r.intent_id where p.order_id = ${id}`);
  const right = (await sale.getOrderStatus(id)) === "refunded" && end?.back === 1000 && end.times === 1;
  return right ? null : `${await sale.getOrderStatus(id)}, ${JSON.stringify(end)}`;
}

async function letGo(planId: number, fail: () => void, line: Line): Promise<string | null> {
  const buyer = await sale.createBuyer();
  const id = await sale.orderPlan(buyer, planId);
  const { intentId } = await sale.openPayment(buyer, id);
  fail();
  await insist(line, () => cancelOrder(buyer.viewer, { order_id: id }));
  await worked(line);
  const [intent] = await db.execute<{ status: string }>(
    sql`select status from sandbox_intents where id = ${intentId}`,
  );
  const right = (await sale.getOrderStatus(id)) === "cancelled" && intent?.status === "canceled";
  return right ? null : `${await sale.getOrderStatus(id)}, intent ${intent?.status}`;
}
