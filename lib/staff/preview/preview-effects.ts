import { dryRun, type Tx } from "@/db/client";
import { AssignKeys, AssignWaitingOrders, DeliverGift, SendRefund } from "@/lib/orders/contract-jobs";
import { assignPaidOrder, assignWaitingOrders } from "@/lib/orders/fulfilment/assign-waiting-orders";
import { deliverGift } from "@/lib/orders/gifts/deliver-gifts";
import { sendRefund } from "@/lib/orders/refunds/send-refund";
import { dryRunProvider } from "@/lib/payments/dry-run-provider";
import { isApprovalNeeded } from "@/lib/platform/console/approval";
import { currentDryRun, type RecordedJob } from "@/lib/platform/dry-run-scope";
import { serializeError } from "@/lib/platform/serialize-error";
import { runWithStandIn } from "@/lib/platform/stripe/provider";
import type { Effect } from "@/lib/staff/preview/contract";
import { readBefore } from "./read-before";
import { readEffects } from "./read-effects";

/** An error of a transaction whose snapshot is older than a change of the same rows. */
const CHANGED_MEANWHILE = "40001";
const TRIES = 3;

/**
 * What an action would do. A preview is the command itself in a transaction that is rolled back, together with the jobs of
 * keys and money that it queues. Nothing leaves it: the payment provider is replaced, emails and other jobs are only recorded,
 * and Postgres drops the notifications with the rows. Errors of the command are those of the action.
 */
export async function previewEffects(command: () => Promise<unknown>): Promise<Effect[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await dryRunEffects(command);
    } catch (error) {
      if (isApprovalNeeded(error)) return [{ kind: "second_person" }];
      if (serializeError(error).code !== CHANGED_MEANWHILE || attempt === TRIES) throw error;
    }
  }
}

async function dryRunEffects(command: () => Promise<unknown>): Promise<Effect[]> {
  const { provider, calls } = dryRunProvider();
  const preview = async (tx: Tx) => {
    const before = await readBefore(tx);
    await command();
    const { jobs } = currentDryRun()!;
    await runFollowingJobs(jobs);
    // What would be checked at the commit.
    await tx.execute("set constraints all immediate");
    return readEffects(tx, before, { calls, jobs });
  };
  return runWithStandIn(provider, () => dryRun(preview, { mode: "isolation level repeatable read" }));
}

/** Jobs that follow an action immediately and concern keys and money. */
const FOLLOWING: Record<string, (payload: unknown) => Promise<void>> = {
  [SendRefund.name]: (payload) => sendRefund(SendRefund.schema.parse(payload).refundId),
  [AssignKeys.name]: (payload) => assignPaidOrder(AssignKeys.schema.parse(payload).orderId),
  [AssignWaitingOrders.name]: (payload) =>
    assignWaitingOrders(AssignWaitingOrders.schema.parse(payload).planId),
  [DeliverGift.name]: (payload) => deliverGift(DeliverGift.schema.parse(payload).orderId),
};
/** Jobs may queue others. */
const MAX_JOBS = 200;

/** Each job once, also those that the jobs queue themselves; not those that are due later. */
async function runFollowingJobs(jobs: readonly RecordedJob[]): Promise<void> {
  const done = new Set<string>();
  for (let next = 0; next < jobs.length && done.size < MAX_JOBS; next += 1) {
    const { name, payload, runAt } = jobs[next]!;
    const key = `${name} ${JSON.stringify(payload)}`;
    if (runAt || done.has(key)) continue;
    done.add(key);
    await FOLLOWING[name]?.(payload);
  }
}
