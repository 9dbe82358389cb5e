import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { requestRefund } from "@/lib/orders/commands-refund-request";
import { cancelOrder } from "@/lib/orders/commands-release";
import { createPaymentIntent } from "@/lib/payments/commands";
import { confirmSandboxIntent } from "@/lib/stripe-sandbox";
import {
  clearSandboxFaults,
  failSandbox,
  type SandboxFault,
  type SandboxOperation,
} from "@/lib/stripe-sandbox-faults";
import * as sale from "../setup/sale";
import { auditSale } from "./audit";
import { type Line, lineOf } from "./table";

const SITES = [
  "create_intent",
  "retrieve_intent",
  "cancel_intent",
  "create_refund",
  "retrieve_refund",
] as const;
const KINDS = ["500", "502", "timeout", "reset", "junk", "not_json", "not_object"] as const;
type Case = { site: SandboxOperation; fault: SandboxFault };

const CASES: Case[] = KINDS.flatMap((as) =>
  (["before", "after"] as const).flatMap((when) => SITES.map((site) => ({ site, fault: { when, as } }))),
);
/** The client tries three times by itself: so many faults in a row are what the shop notices, once and again. */
const FAULTS = 4;

/** Every kind of trouble at every call to the provider, before it has done what it was asked, and after. */
export const callSites = (count: number, seed: number): Promise<Line> =>
  lineOf(
    {
      invariant: "Provider trouble at any call loses nothing",
      trial: "500, 502, timeout, reset, junk at a call site, before and after",
      seed,
    },
    async (line) => {
      const planId = (await createProduct({ plans: [{ keys: 80, type: "month" }] })).plans[0]!.id;
      const stride = CASES.length / Math.min(count, CASES.length);
      const chosen = CASES.filter((_, at) => Math.floor(at / stride) !== Math.floor((at - 1) / stride));
      for (const one of chosen) {
        line.trials++;
        const wrong = await (one.site === "cancel_intent"
          ? letGo(planId, one, line)
          : sellAndGiveBack(planId, one, line));
        clearSandboxFaults();
        sale.receiveEventsHere();
        if (wrong) line.violations.push(`${one.site}, ${one.fault.when}, ${one.fault.as}: ${wrong}`);
      }
      line.violations.push(...(await auditSale({ atRest: true })));
    },
  );

/** A shopper, or the queue, tries again until it works; the time from the first failure counts as healing. */
async function insist<T>(line: Line, work: () => Promise<T>): Promise<T> {
  let failedAt = 0;
  for (let turn = 0; ; turn++) {
    try {
      const result = await work();
      if (failedAt) line.heals.push(performance.now() - failedAt);
      return result;
    } catch (error) {
      failedAt ||= performance.now();
      if (turn > 8) throw error;
    }
  }
}

/** The queue, which puts off what failed: here its pause is over at once. */
const worked = (line: Line) =>
  insist(line, async () => {
    await sale.eventsArrived();
    await db.execute(
      sql`update graphile_worker._private_jobs set run_at = now(), last_error = null where last_error is not null`,
    );
    await sale.runQueue();
  });

async function sellAndGiveBack(planId: number, { site, fault }: Case, line: Line): Promise<string | null> {
  const buyer = await sale.newBuyer();
  const id = await sale.orderOf(buyer, planId);
  const atRefund = site.endsWith("refund");
  if (!atRefund) failSandbox(site, fault, FAULTS);
  const open = () => createPaymentIntent(buyer.viewer, { order_id: id });
  const { client_secret } = await insist(line, open);
  await insist(line, open);
  await confirmSandboxIntent(client_secret, "succeeded");
  await worked(line);
  if ((await sale.statusOf(id)) !== "completed") return `${await sale.statusOf(id)} after the payment`;
  const [row] = await db.execute<{ id: string }>(sql`select id from order_lines where order_id = ${id}`);
  if (atRefund) failSandbox(site, fault, FAULTS);
  const { state } = await requestRefund(buyer.viewer, { order_id: id, order_product_id: row!.id }, "en");
  if (state === "asked") {
    const { answerRefundRequest } = await import("@/lib/orders/commands-refund-request");
    const [wish] = await db.execute<{ id: string }>(
      sql`select id from refund_requests where order_line_id = ${row!.id} and state = 'asked'`,
    );
    await answerRefundRequest(wish!.id, { decision: "approved", by: "staff:trial" });
  }
  await worked(line);
  const [end] = await db.execute<{ back: number; times: number }>(sql`
    select coalesce(sum(r.amount_cents), 0)::int as back, count(*)::int as times from sandbox_refunds r
    join payments p on p.intent_id = r.intent_id where p.order_id = ${id}`);
  const right = (await sale.statusOf(id)) === "refunded" && end?.back === 1000 && end.times === 1;
  return right ? null : `${await sale.statusOf(id)}, ${JSON.stringify(end)}`;
}

async function letGo(planId: number, { site, fault }: Case, line: Line): Promise<string | null> {
  const buyer = await sale.newBuyer();
  const id = await sale.orderOf(buyer, planId);
  const { intentId } = await sale.openPayment(buyer, id);
  failSandbox(site, fault, FAULTS);
  await insist(line, () => cancelOrder(buyer.viewer, { order_id: id }));
  await worked(line);
  const [intent] = await db.execute<{ status: string }>(
    sql`select status from sandbox_intents where id = ${intentId}`,
  );
  const right = (await sale.statusOf(id)) === "cancelled" && intent?.status === "canceled";
  return right ? null : `${await sale.statusOf(id)}, intent ${intent?.status}`;
}
