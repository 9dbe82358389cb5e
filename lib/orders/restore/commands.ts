import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, isNotNull, notInArray, sql } from "drizzle-orm";
import { db, dryRun, type Tx, transaction } from "@/db/client";
import { orders } from "@/db/schema/orders";
import { lostPayments, payments } from "@/db/schema/payments";
import { quarantineKeys } from "@/lib/delivery/commands";
import { moveKeys } from "@/lib/delivery/withheld/commands";
import { withheldSql } from "@/lib/delivery/withheld/queries";
import { expireOrder } from "@/lib/orders/cancellation/close-unpaid-order";
import { enqueueAssignWaiting } from "@/lib/orders/fulfilment/commands";
import { settlePayment } from "@/lib/orders/payment/commands";
import { reconcileWithProvider } from "@/lib/orders/reconciliation/commands";
import { isPayable } from "@/lib/orders/rules";
import { dryRunProvider } from "@/lib/payments/commands-dry-run";
import { CURRENCY, RECONCILIATION_DAYS } from "@/lib/payments/rules";
import { audit } from "@/lib/platform/audit";
import { requireShown } from "@/lib/platform/console/shown";
import type { SeenVersion } from "@/lib/platform/console/version";
import { closeShop, isShopClosed } from "@/lib/platform/shop-closure";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider, runWithStandIn } from "@/lib/platform/stripe/provider";
import type { IntentView } from "@/lib/platform/stripe/views";
import {
  findDoubtfulHolds,
  findHandedOutStock,
  findPlansToWithhold,
  findSoldElsewhere,
  type JournalReport,
  listUnrecordedIntents,
  type PlanToWithhold,
  readCheckedJournal,
} from "./queries";

/** A payment that needs a person; null: the payments of the order. */
type OpenPayment = { intentId: string | null; orderId: string; why: string };
/** A payment whose order this database does not have. */
type LostPayment = { intentId: string; orderId: string; items: string | null; amountCents: number };

export type RestoreReport = {
  since: Date;
  journal: Omit<JournalReport, "orders" | "unknown">;
  /** keys that were handed out after the restored moment and were unsold here */
  quarantined: number;
  /** plans whose keys wait for staff */
  withheld: (PlanToWithhold & { keys: number })[];
  payments: {
    /** of orders that are here */
    recorded: number;
    refunded: LostPayment[];
    cancelled: LostPayment[];
    open: OpenPayment[];
  };
  /** what the reconciliation with the provider could not repair */
  differences: { object: string; id: string; kind: string }[];
};

type Options = {
  /** The moment to which the database was restored. */
  since: Date;
  /** Who runs the check, for the audit log. */
  actor: string;
  /** Only reports: nothing is changed here or at the provider. */
  preview?: boolean;
  /** The operator knows that the journal lacks lines. */
  journalLost?: boolean;
};

/**
 * Checks a database that was restored to an earlier moment (docs/operations.md#restore), so that no key is sold twice and no
 * payment is left without order or refund:
 *
 * 1. Closes the shop, and waits until no worker runs a job.
 * 2. Quarantines the keys that the journal names and that are unsold here. Without a whole journal every available key is
 *    withheld; with one, those of plans that were paid for and whose keys it does not name.
 * 3. Asks the provider. Payments of orders that are here settle them; the others are refunded, or cancelled while unpaid.
 * 4. Ends unpaid orders that hold keys which may have been handed out since, and puts these keys away.
 *
 * Safe to repeat; each step leaves what it has done. The shop stays closed.
 * @throws Error when workers keep running, or servers run during a preview, ProviderError when the provider does not answer
 */
export async function checkRestore({ preview = false, ...options }: Options): Promise<RestoreReport> {
  const { since, actor } = options;
  if (preview) return previewCheck(options);
  await closeShop(`restored to ${since.toISOString()}`, actor);
  await waitForWorkers();
  const report = await runSteps(options);
  await skipOrderNumbers(since);
  const { refunded, cancelled, open } = report.payments;
  const detail = {
    journal_whole: report.journal.whole,
    quarantined: report.quarantined,
    plans_withheld: report.withheld.length,
    refunded: refunded.length,
    cancelled: cancelled.length,
    open: open.length + report.differences.length,
  };
  await audit({ actor, action: "restore_checked", subject: since.toISOString(), detail });
  return report;
}

/**
 * The steps of the check in a transaction that is rolled back, because each one changes what the next one finds: an unpaid
 * order that is ended returns keys which are then put away. The provider is only read.
 */
async function previewCheck(options: Omit<Options, "preview">): Promise<RestoreReport> {
  // The locks of the transaction would make shoppers wait.
  if (!(await isShopClosed()) && (await isServed()))
    throw new Error(
      "servers or workers run, which a preview would delay: end them, or close the shop (npm run staff -- shop close)",
    );
  const { provider } = dryRunProvider(paymentProvider());
  return runWithStandIn(provider, () => dryRun(() => runSteps(options)));
}

async function runSteps({
  since,
  actor,
  journalLost = false,
}: Omit<Options, "preview">): Promise<RestoreReport> {
  const journal = await readCheckedJournal(since, journalLost);
  const intents = await listUnrecordedIntents(since);
  const plans = await findPlansToWithhold(journal, intents.all);
  const report: RestoreReport = {
    since,
    journal: {
      whole: journal.whole,
      entries: journal.entries,
      files: journal.files,
      problems: journal.problems,
    },
    quarantined: 0,
    withheld: plans.map((plan) => ({ ...plan, keys: 0 })),
    payments: { recorded: 0, refunded: [], cancelled: [], open: [] },
    differences: [],
  };
  const putAway = async () => {
    report.quarantined += await quarantine(await findHandedOutStock(journal.unknown), actor);
    const soldElsewhere = await findSoldElsewhere(journal.unknown);
    await transaction((tx) => quarantineKeys(tx, { keyIds: soldElsewhere }, actor));
    report.quarantined += soldElsewhere.length;
    for (const plan of report.withheld)
      plan.keys += await transaction((tx) =>
        moveKeys(tx, { planId: plan.planId, state: "available" }, { state: "withheld", actor }),
      );
  };
  await putAway();
  await settleOpenPayments();
  for (const intent of intents.known) report.payments.recorded += await recordPayment(intent);
  for (const intent of intents.lost) await closeLostPayment(report, intent);
  const { differences } = await reconcileWithProvider({ since: reconciledSince(since) });
  report.differences = differences
    .filter(({ repaired }) => !repaired)
    .map(({ object, id, kind }) => ({ object, id, kind }));
  const planIds = plans.map(({ planId }) => planId);
  const { unpaidOrders, misplaced } = await findDoubtfulHolds(journal.unknown, planIds);
  report.quarantined += await quarantine(misplaced, actor);
  for (const orderId of unpaidOrders) await endUnpaidOrder(report, orderId);
  await putAway();
  return report;
}

/** Whether a server or a worker uses the database. */
async function isServed(): Promise<boolean> {
  const running = await db.execute(sql`
    select 1 from pg_stat_activity where datname = current_database()
      and application_name in ('passlane-monitor', 'passlane-worker') limit 1`);
  return running.length > 0;
}

const WORKERS_END_MS = 30_000;

/** Workers follow the closure within a second, and end what they run. */
async function waitForWorkers(): Promise<void> {
  for (const deadline = Date.now() + WORKERS_END_MS; ; await sleep(250)) {
    const running = await db.execute(sql`
      select 1 from pg_stat_activity where datname = current_database() and application_name = 'passlane-worker' limit 1`);
    if (running.length === 0) return;
    if (Date.now() > deadline)
      throw new Error(
        "a worker keeps running although the shop is closed: end all servers and workers first",
      );
  }
}

/** Keys per transaction, because their rows are locked. */
const BATCH = 500;

async function quarantine(keyIds: string[], actor: string): Promise<number> {
  let count = 0;
  for (let from = 0; from < keyIds.length; from += BATCH)
    count += await transaction((tx) =>
      moveKeys(tx, { keyIds: keyIds.slice(from, from + BATCH) }, { state: "quarantined", actor }),
    );
  return count;
}

/** Settles the payments that were open at the restored moment. */
async function settleOpenPayments(): Promise<void> {
  const open = await db
    .select({ intentId: payments.intentId })
    .from(payments)
    .where(and(isNotNull(payments.intentId), notInArray(payments.state, ["succeeded", "canceled"])));
  for (const { intentId } of open) await settlePayment(intentId!);
}

/**
 * Records a payment that was opened after the restored moment for an order that is here, and settles it. A second live
 * payment of an order is recorded as closed, so that settling it refunds it.
 */
async function recordPayment({ id: intentId, metadata, amountCents }: IntentView): Promise<number> {
  const { orderId, paymentId } = metadata;
  const [order] = await db
    .select({ receiptEmail: orders.sendEmail })
    .from(orders)
    .where(eq(orders.id, orderId!));
  if (!order || !paymentId) return 0;
  const payment = { id: paymentId, orderId: orderId!, intentId, amountCents, currency: CURRENCY, ...order };
  for (const state of ["creating", "canceled"] as const) {
    const recorded = await db
      .insert(payments)
      .values({ ...payment, state })
      .onConflictDoNothing()
      .returning({ id: payments.id });
    if (recorded.length > 0) break;
  }
  await settlePayment(intentId);
  return 1;
}

const toLost = ({ id, metadata, items, amountCents }: IntentView): LostPayment => ({
  intentId: id,
  orderId: metadata.orderId ?? "",
  items,
  amountCents,
});

const stillProcessing = (intent: IntentView): OpenPayment => ({
  intentId: intent.id,
  orderId: intent.metadata.orderId ?? "",
  why: "is being processed: check again when it is decided",
});

/** Refunds a payment whose order is lost, or cancels it while it is unpaid. What is refunded already stays. */
async function closeLostPayment(report: RestoreReport, listed: IntentView): Promise<void> {
  const { refunded, cancelled, open } = report.payments;
  const lost = toLost(listed);
  try {
    const intent = listed.state.startsWith("requires_")
      ? await cancelOrRetrieve(listed.id)
      : await paymentProvider().retrieveIntent(listed.id);
    if (intent.state === "processing") return void open.push(stillProcessing(intent));
    const outcome = intent.state === "succeeded" ? "refunded" : "cancelled";
    if (outcome === "refunded") await refundLost(intent);
    await db
      .insert(lostPayments)
      .values({ ...lost, outcome })
      .onConflictDoNothing();
    (outcome === "refunded" ? refunded : cancelled).push(lost);
  } catch (error) {
    if (!isProviderError(error, "refused")) throw error;
    open.push({
      intentId: lost.intentId,
      orderId: lost.orderId,
      why: `the provider refuses: ${error.message}`,
    });
  }
}

/** It may be paid between the list and this call. */
async function cancelOrRetrieve(intentId: string): Promise<IntentView> {
  try {
    return await paymentProvider().cancelIntent(intentId);
  } catch (error) {
    if (!isProviderError(error, "refused")) throw error;
    return paymentProvider().retrieveIntent(intentId);
  }
}

async function refundLost({ id: intentId, amountReceivedCents }: IntentView): Promise<void> {
  let left = amountReceivedCents;
  for await (const refund of paymentProvider().refundsOf(intentId))
    if (refund.state !== "failed") left -= refund.amountCents;
  if (left <= 0) return;
  const refundId = `lost_${intentId}`;
  await paymentProvider().refund({
    intentId,
    refundId,
    amountCents: left,
    idempotencyKey: `${refundId}:${left}`,
  });
}

/** Ends an unpaid order as if its hold were over; nobody can pay for it any more. Its keys return to stock. */
async function endUnpaidOrder({ payments: { open } }: RestoreReport, orderId: string): Promise<void> {
  await db.execute(sql`
    update orders set hold_ends_at = shop_now() where id = ${orderId} and hold_ends_at > shop_now()`);
  const status = await expireOrder(orderId);
  if (isPayable(status))
    open.push({
      intentId: null,
      orderId,
      why: "its payment may still succeed: check again when it is decided",
    });
}

/** The daily reconciliation looks back three days; a check at least to a day before the restored moment. */
const reconciledSince = (since: Date) =>
  new Date(Math.min(since.getTime() - 86_400_000, Date.now() - RECONCILIATION_DAYS * 86_400_000));

/** How many order numbers are left out after a restore. */
const SKIPPED_NUMBERS = 1_000;

/** Customers have numbers of orders that are lost. Once for each restored moment, later orders get none of these. */
async function skipOrderNumbers(since: Date): Promise<void> {
  await db.execute(sql`
    select setval('order_numbers', last_value + ${SKIPPED_NUMBERS}) from order_numbers
    where not exists (select from audit_entries where action = 'restore_checked' and subject = ${since.toISOString()})`);
}

type Decision = SeenVersion & { actor: string };

/** Whether a plan has withheld keys. @throws ShopError revision_conflict: others than were shown */
async function hasShown(tx: Tx, planId: number, { version }: Decision): Promise<boolean> {
  const [found] = await tx.execute<{ withheld: number; version: string }>(
    sql`select w.withheld, w.version from ${withheldSql(sql`${planId}::int`)} w`,
  );
  if (found!.withheld === 0) return false;
  requireShown(version, found!.version);
  return true;
}

/**
 * Returns the withheld keys of a plan to stock; orders that wait for it come first. Returns how many there were.
 * @throws ShopError revision_conflict
 */
export async function releaseWithheldKeys(planId: number, decision: Decision): Promise<number> {
  const { actor } = decision;
  return transaction(async (tx) => {
    if (!(await hasShown(tx, planId, decision))) return 0;
    const count = await moveKeys(tx, { planId, state: "withheld" }, { state: "available", actor });
    if (count === 0) return 0;
    await enqueueAssignWaiting(tx, [planId]);
    await audit({ actor, action: "keys_restocked", subject: `plan ${planId}`, detail: { keys: count } }, tx);
    return count;
  });
}

/**
 * Revokes the withheld keys of a plan for good, when they may have been handed out. Returns how many there were.
 * @throws ShopError revision_conflict
 */
export async function revokeWithheldKeys(planId: number, decision: Decision): Promise<number> {
  const { actor } = decision;
  return transaction(async (tx) => {
    if (!(await hasShown(tx, planId, decision))) return 0;
    const count = await moveKeys(tx, { planId, state: "withheld" }, { state: "revoked", actor });
    if (count > 0)
      await audit({ actor, action: "keys_revoked", subject: `plan ${planId}`, detail: { keys: count } }, tx);
    return count;
  });
}
