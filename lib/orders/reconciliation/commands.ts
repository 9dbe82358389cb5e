import { and, desc, eq, isNotNull, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { db, shopNow } from "@/db/client";
import { disputes, payments, reconciliationReports, refunds } from "@/db/schema/payments";
import { updateDispute } from "@/lib/orders/disputes/commands";
import { settlePayment } from "@/lib/orders/payment/commands";
import { sendRefund } from "@/lib/orders/refunds/commands";
import { RECONCILIATION_DAYS, type ReconciliationDifference } from "@/lib/payments/rules";
import { log } from "@/lib/platform/log";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { IntentView, RefundView } from "@/lib/platform/stripe/views";

export type ReconciliationReport = { day: string; checked: number; differences: ReconciliationDifference[] };

/**
 * Compares payments, refunds and disputes of the last days with the provider's records, repairs differences through the
 * normal commands, and stores one report a day; the newest run replaces it. Remaining differences are logged as an
 * error.
 * @throws ProviderError, without a report, when the provider does not respond
 */
export async function reconcileWithProvider(): Promise<ReconciliationReport> {
  const [window] = await db.execute<{ since: string; day: string }>(sql`
    select shop_now() - make_interval(days => ${RECONCILIATION_DAYS}) as since, (shop_now() at time zone 'UTC')::date::text as day`);
  const since = new Date(window!.since);
  const comparisons = [
    await comparePayments(since),
    await compareRefunds(since),
    await compareDisputes(since),
  ];
  const differences = comparisons.flatMap((comparison) => comparison.differences);
  const checked = comparisons.reduce((sum, comparison) => sum + comparison.checked, 0);
  await db
    .insert(reconciliationReports)
    .values({ day: window!.day, checked, differences })
    .onConflictDoUpdate({
      target: reconciliationReports.day,
      set: { checked, differences, createdAt: shopNow },
    });
  const unresolved = differences.filter((difference) => !difference.repaired);
  if (unresolved.length > 0)
    log.error({ differences: unresolved }, "reconciliation found differences that could not be repaired");
  else log.info({ checked, repaired: differences.length }, "reconciliation found no open differences");
  return { day: window!.day, checked, differences };
}

/** The reports of the last days, newest first. */
export async function listReconciliationReports(): Promise<ReconciliationReport[]> {
  const { day, checked, differences } = reconciliationReports;
  return db
    .select({ day, checked, differences: sql<ReconciliationDifference[]>`${differences}` })
    .from(reconciliationReports)
    .orderBy(desc(day))
    .limit(7);
}

type Comparison = { checked: number; differences: ReconciliationDifference[] };
/** A payment or refund as stored here; `providerId` is its id at the provider. */
type StoredRecord = { id: string; providerId: string; state: string; amountCents: number };

const selectPayments = (where: SQL | undefined): Promise<StoredRecord[]> =>
  db
    .select({
      id: payments.id,
      providerId: sql<string>`${payments.intentId}`,
      state: payments.state,
      amountCents: payments.amountCents,
    })
    .from(payments)
    .where(and(isNotNull(payments.intentId), where));

const selectRefunds = (where: SQL | undefined): Promise<StoredRecord[]> =>
  db
    .select({
      id: refunds.id,
      providerId: sql<string>`${refunds.providerId}`,
      state: refunds.state,
      amountCents: refunds.amountCents,
    })
    .from(refunds)
    .where(and(isNotNull(refunds.providerId), where));

/** SQL: in the compared period less ten minutes at its edges, where a record may be in one list only. */
const isInPeriod = (createdAt: PgColumn, since: Date) =>
  sql`${createdAt} between ${since.toISOString()}::timestamptz + interval '10 minutes' and shop_now() - interval '10 minutes'`;

async function comparePayments(since: Date): Promise<Comparison> {
  const comparison: Comparison = { checked: 0, differences: [] };
  const comparedIds = new Set<string>();
  for await (const intent of paymentProvider().intentsSince(since)) {
    if (!intent.metadata.paymentId) continue; // made by another system that uses the same provider account
    comparison.checked += 1;
    comparedIds.add(intent.id);
    const difference = await findPaymentDifference(intent);
    if (difference) comparison.differences.push(await repairPayment(difference, intent));
  }
  for (const payment of await selectPayments(isInPeriod(payments.createdAt, since))) {
    if (comparedIds.has(payment.providerId)) continue;
    comparison.checked += 1;
    if (await existsAtProvider(() => paymentProvider().retrieveIntent(payment.providerId))) continue;
    comparison.differences.push(missingAtProvider("payment", payment));
  }
  return comparison;
}

const missingAtProvider = (
  object: ReconciliationDifference["object"],
  { providerId, state, amountCents }: StoredRecord,
): ReconciliationDifference => ({
  object,
  id: providerId,
  kind: "missing_there",
  ours: describeRecord(state, amountCents),
  theirs: null,
  repaired: false,
});

const describeRecord = (state: string, cents: number) => `${state} ${cents}`;

async function existsAtProvider(retrieve: () => Promise<unknown>): Promise<boolean> {
  try {
    await retrieve();
    return true;
  } catch (error) {
    if (isProviderError(error, "unknown_object")) return false;
    throw error;
  }
}

async function findPaymentDifference(intent: IntentView): Promise<ReconciliationDifference | null> {
  const [payment] = await selectPayments(eq(payments.intentId, intent.id));
  // An unknown unpaid intent has no effect and expires by itself.
  return compareRecords("payment", payment, intent);
}

/** Compares our record of a payment or refund with the provider's. */
function compareRecords(
  object: "payment" | "refund",
  ours: StoredRecord | undefined,
  theirs: { id: string; state: string; amountCents: number },
): ReconciliationDifference | null {
  const difference = {
    object,
    id: theirs.id,
    ours: ours ? describeRecord(ours.state, ours.amountCents) : null,
    theirs: describeRecord(theirs.state, theirs.amountCents),
    repaired: false,
  };
  if (!ours) return { ...difference, kind: "missing_here" };
  if (ours.amountCents !== theirs.amountCents) return { ...difference, kind: "amount" };
  return ours.state === theirs.state ? null : { ...difference, kind: "state" };
}

/**
 * Settles the payment again. An intent whose creation got no response is first linked to its payment by the ids in its
 * metadata.
 */
async function repairPayment(
  difference: ReconciliationDifference,
  intent: IntentView,
): Promise<ReconciliationDifference> {
  const { paymentId, orderId } = intent.metadata;
  if (difference.kind === "missing_here" && paymentId && orderId)
    await db
      .update(payments)
      .set({ intentId: intent.id, updatedAt: shopNow })
      .where(and(eq(payments.id, paymentId), eq(payments.orderId, orderId), isNull(payments.intentId)));
  if (difference.kind !== "amount") await tryRepair(() => settlePayment(intent.id), difference);
  const remaining = await findPaymentDifference(await paymentProvider().retrieveIntent(intent.id));
  return { ...difference, repaired: remaining === null };
}

/** Logs a failed repair, so that the comparison continues. */
async function tryRepair(repair: () => Promise<void>, difference: ReconciliationDifference): Promise<void> {
  await repair().catch((error: unknown) =>
    log.warn({ err: error, difference }, "repairing a reconciliation difference failed"),
  );
}

async function compareRefunds(since: Date): Promise<Comparison> {
  const comparison: Comparison = { checked: 0, differences: [] };
  const comparedIds = new Set<string>();
  for await (const refund of paymentProvider().refundsSince(since)) {
    comparedIds.add(refund.id);
    if (!(await isOurs(refund))) continue;
    comparison.checked += 1;
    const difference = await findRefundDifference(refund);
    if (difference) comparison.differences.push(await repairRefund(difference, refund));
  }
  for (const refund of await selectRefunds(isInPeriod(refunds.createdAt, since))) {
    if (comparedIds.has(refund.providerId)) continue;
    comparison.checked += 1;
    if (await existsAtProvider(() => paymentProvider().retrieveRefund(refund.providerId))) continue;
    comparison.differences.push(missingAtProvider("refund", refund));
  }
  return comparison;
}

/** A refund is ours by its metadata, or because it refunds one of our payments (made in the provider's dashboard). */
async function isOurs({ refundId, intentId }: RefundView): Promise<boolean> {
  return Boolean(refundId) || isOurPayment(intentId);
}

const isOurPayment = async (intentId: string | null): Promise<boolean> =>
  intentId !== null && (await db.$count(payments, eq(payments.intentId, intentId))) > 0;

async function findRefundDifference(refund: RefundView): Promise<ReconciliationDifference | null> {
  const [stored] = await selectRefunds(eq(refunds.providerId, refund.id));
  return compareRecords("refund", stored, refund);
}

async function repairRefund(
  difference: ReconciliationDifference,
  { id, refundId }: RefundView,
): Promise<ReconciliationDifference> {
  if (difference.kind === "missing_here" && refundId)
    await db
      .update(refunds)
      .set({ providerId: id })
      .where(and(eq(refunds.id, refundId), isNull(refunds.providerId), ne(refunds.state, "failed")));
  const [stored] = await selectRefunds(eq(refunds.providerId, id));
  if (stored && difference.kind !== "amount") await tryRepair(() => sendRefund(stored.id), difference);
  const remaining = await findRefundDifference(await paymentProvider().retrieveRefund(id));
  return { ...difference, repaired: remaining === null };
}

/** Compares the provider's recent disputes, and older ones that are still open here. */
async function compareDisputes(since: Date): Promise<Comparison> {
  const results: (ReconciliationDifference | null)[] = [];
  const comparedIds = new Set<string>();
  for await (const dispute of paymentProvider().disputesSince(since)) {
    if (!(await isOurPayment(dispute.intentId))) continue;
    comparedIds.add(dispute.id);
    results.push(await compareDispute(dispute.id, dispute.status));
  }
  const openDisputes = await db.select({ id: disputes.id }).from(disputes).where(eq(disputes.isOpen, true));
  for (const { id } of openDisputes) {
    if (comparedIds.has(id)) continue;
    const { status } = await paymentProvider().retrieveDispute(id);
    results.push(await compareDispute(id, status));
  }
  return { checked: results.length, differences: results.filter((difference) => difference !== null) };
}

/** Compares the status of one dispute, and repairs a difference. */
async function compareDispute(id: string, theirs: string): Promise<ReconciliationDifference | null> {
  const ours = await readDisputeStatus(id);
  if (ours === theirs) return null;
  const kind = ours === null ? "missing_here" : "state";
  const difference: ReconciliationDifference = { object: "dispute", id, kind, ours, theirs, repaired: false };
  await tryRepair(() => updateDispute(id), difference);
  return { ...difference, repaired: (await readDisputeStatus(id)) === theirs };
}

async function readDisputeStatus(id: string): Promise<string | null> {
  const [dispute] = await db.select({ status: disputes.status }).from(disputes).where(eq(disputes.id, id));
  return dispute?.status ?? null;
}
