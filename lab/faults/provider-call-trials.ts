import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { startPayment } from "@/lib/orders/payment/start-payment";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { auditSale } from "@/tests/setup/audit";
import * as sale from "@/tests/setup/sale";
import {
  clearSandboxFaults,
  failSandbox,
  type SandboxFault,
  type SandboxOperation,
} from "@/tests/setup/stripe-faults";
import {
  cardLifecycle,
  disputePayment,
  payAndSaveCard,
  processQueue,
  reconcileLostEvents,
  refundOrder,
  retryUntilSuccess,
  returnedRefund,
  type Scenario,
  suspectPayment,
} from "./provider-call-scenarios";
import { runTrial, type TrialResult } from "./table";

const openPayment: Scenario = (planId, fail, result) =>
  sellAndRefund(planId, { fail, atRefund: false }, result);
const refundPayment: Scenario = (planId, fail, result) =>
  sellAndRefund(planId, { fail, atRefund: true }, result);

/** The operations of payouts to merchants, whose failures tests/domain/payout-connect.test.ts covers. */
type PayoutOperation = "create_transfer" | "reverse_transfer" | "list_transfers" | "retrieve_account";

/** A scenario for every operation of a sale that the server calls; browsers call confirm_intent. */
const SCENARIOS: Record<Exclude<SandboxOperation, "confirm_intent" | PayoutOperation>, Scenario> = {
  list_intents: reconcileLostEvents, // first, while there are few rows to compare
  list_refunds: reconcileLostEvents,
  list_disputes: reconcileLostEvents,
  list_fraud_warnings: reconcileLostEvents,
  list_reviews: reconcileLostEvents,
  create_intent: openPayment,
  retrieve_intent: openPayment,
  cancel_intent: cancelPayment,
  create_refund: refundPayment,
  retrieve_refund: returnedRefund,
  update_intent: payAndSaveCard,
  retrieve_dispute: disputePayment,
  retrieve_fraud_warning: suspectPayment,
  retrieve_review: suspectPayment,
  create_customer: cardLifecycle,
  create_setup: cardLifecycle,
  retrieve_setup: cardLifecycle,
  retrieve_card: cardLifecycle,
  list_cards: cardLifecycle,
  detach_card: cardLifecycle,
  delete_customer: cardLifecycle,
};
const OPERATIONS = Object.entries(SCENARIOS) as [SandboxOperation, Scenario][];
const FAULT_KINDS = ["500", "502", "timeout", "reset", "junk", "not_json", "not_object"] as const;
type Case = { operation: SandboxOperation; scenario: Scenario; fault: SandboxFault };

const CASES: Case[] = OPERATIONS.flatMap(([operation, scenario]) =>
  (["before", "after"] as const).flatMap((when) =>
    FAULT_KINDS.map((as) => ({ operation, scenario, fault: { when, as } })),
  ),
);
export const PROVIDER_CALL_CASES = CASES.length;
/**
 * The Stripe client tries three times, so this many faults in a row reach the server, even when two jobs (of two events of
 * one refund) share them.
 */
const CONSECUTIVE_FAULTS = 5;

/** Every kind of fault at every call to the provider, before and after the operation takes effect. */
export const providerCalls = (count: number, seed: number): Promise<TrialResult> =>
  runTrial(
    {
      invariant: "Provider faults at any call lose nothing",
      trial: `500, 502, timeout, reset, junk, no JSON, no object at each of ${OPERATIONS.length} calls, before and after`,
      seed,
    },
    async (result) => {
      const planId = (await createProduct({ plans: [{ keys: 200, type: "month" }] })).plans[0]!.id;
      // A stride without a common factor with the list, so that few cases cover all sites and kinds.
      const chosen = CASES.filter((_, index) => (index * count) % CASES.length < count);
      for (const { operation, scenario, fault } of chosen) {
        result.trials++;
        const recoveries = result.recoveryMs.length;
        const problem = await scenario(
          planId,
          () => failSandbox(operation, fault, CONSECUTIVE_FAULTS),
          result,
        ).catch((error: Error) => error.message);
        clearSandboxFaults();
        sale.receiveEventsInProcess();
        const name = `${operation}, ${fault.when}, ${fault.as}`;
        if (problem) result.violations.push(`${name}: ${problem}`);
        else if (result.recoveryMs.length === recoveries) result.violations.push(`${name}: no call failed`);
      }
      result.violations.push(...(await auditSale({ whenIdle: true })));
    },
  );

type FaultPoint = { fail: () => void; atRefund: boolean };

async function sellAndRefund(
  planId: number,
  { fail, atRefund }: FaultPoint,
  result: TrialResult,
): Promise<string | null> {
  const buyer = await sale.createBuyer();
  const id = await sale.orderPlan(buyer, planId);
  if (!atRefund) fail();
  const open = () => startPayment(buyer.viewer, { order_id: id });
  const { client_secret } = await retryUntilSuccess(result, open);
  await retryUntilSuccess(result, open);
  await confirmSandboxIntent(client_secret, "succeeded");
  await processQueue(result);
  if ((await sale.getOrderStatus(id)) !== "completed")
    return `${await sale.getOrderStatus(id)} after the payment`;
  if (atRefund) fail();
  await refundOrder(buyer, id);
  await processQueue(result);
  const [totals] = await db.execute<{ refunded_cents: number; refunds: number }>(sql`
    select coalesce(sum(r.amount_cents), 0)::int as refunded_cents, count(*)::int as refunds from sandbox_refunds r
    join payments p on p.intent_id = r.intent_id where p.order_id = ${id}`);
  const isCorrect =
    (await sale.getOrderStatus(id)) === "refunded" && totals?.refunded_cents === 1000 && totals.refunds === 1;
  return isCorrect ? null : `${await sale.getOrderStatus(id)}, ${JSON.stringify(totals)}`;
}

async function cancelPayment(planId: number, fail: () => void, result: TrialResult): Promise<string | null> {
  const buyer = await sale.createBuyer();
  const id = await sale.orderPlan(buyer, planId);
  const { intentId } = await sale.openPayment(buyer, id);
  fail();
  await retryUntilSuccess(result, () => cancelOrder(buyer.viewer, { order_id: id }));
  await processQueue(result);
  const [intent] = await db.execute<{ status: string }>(
    sql`select status from sandbox_intents where id = ${intentId}`,
  );
  const isCorrect = (await sale.getOrderStatus(id)) === "cancelled" && intent?.status === "canceled";
  return isCorrect ? null : `${await sale.getOrderStatus(id)}, intent ${intent?.status}`;
}
