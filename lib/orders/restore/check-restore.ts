import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { db, dryRun, transaction } from "@/db/client";
import { quarantineKeys } from "@/lib/delivery/quarantine-keys";
import { moveKeys } from "@/lib/delivery/withheld/move-keys";
import { reconcileWithProvider } from "@/lib/orders/reconciliation/reconcile-with-provider";
import { dryRunProvider } from "@/lib/payments/dry-run-provider";
import { RECONCILIATION_DAYS } from "@/lib/payments/rules";
import { audit } from "@/lib/platform/audit";
import { closeShop, isShopClosed } from "@/lib/platform/shop-closure";
import { paymentProvider, runWithStandIn } from "@/lib/platform/stripe/provider";
import { closeLostPayment, endUnpaidOrder, recordPayment, settleOpenPayments } from "./close-lost-payment";
import { findDoubtfulHolds, findHandedOutStock, findSoldElsewhere } from "./find-handed-out-stock";
import { findPlansToWithhold } from "./find-plans-to-withhold";
import { listUnrecordedIntents } from "./list-unrecorded-intents";
import { readCheckedJournal } from "./read-checked-journal";
import type { RestoreReport } from "./restore-report";

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

/** Workers notice the closure within a second and finish their running jobs. */
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

/** The daily reconciliation looks back three days; a check at least to a day before the restored moment. */
const reconciledSince = (since: Date) =>
  new Date(Math.min(since.getTime() - 86_400_000, Date.now() - RECONCILIATION_DAYS * 86_400_000));

/** How many order numbers are left out after a restore. */
const SKIPPED_NUMBERS = 1_000;

/** Customers know numbers of lost orders. Once for each restored moment, later orders get none of these. */
async function skipOrderNumbers(since: Date): Promise<void> {
  await db.execute(sql`
    select setval('order_numbers', last_value + ${SKIPPED_NUMBERS}) from order_numbers
    where not exists (select from audit_entries where action = 'restore_checked' and subject = ${since.toISOString()})`);
}
