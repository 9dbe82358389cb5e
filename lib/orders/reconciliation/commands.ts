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
    await compareKind(paymentComparison(), since),
    await compareKind(refundComparison(), since),
    await compareDisputes(since),
  ];
  const differences = comparisons.flatMap((comparison) => comparison.differences);
  const checked = comparisons.reduce((sum, comparison) => sum + comparison.checked, 0);
  const report = { checked, differences, createdAt: shopNow };
  await db
    .insert(reconciliationReports)
    .values({ day: window!.day, ...report })
    .onConflictDoUpdate({ target: reconciliationReports.day, set: report });
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
type ProviderRecord = { id: string; state: string; amountCents: number };

/** How the payments, or the refunds, are compared. */
type RecordKind<T extends ProviderRecord> = {
  object: "payment" | "refund";
  table: typeof payments | typeof refunds;
  providerId: PgColumn;
  list: (since: Date) => AsyncIterable<T>;
  retrieve: (id: string) => Promise<T>;
  isOurs: (record: T) => boolean | Promise<boolean>;
  /** Links a record whose creation got no response to ours, by the ids in its metadata. */
  link: (record: T) => Promise<unknown>;
  update: (stored: StoredRecord) => Promise<unknown>;
};

const paymentComparison = (): RecordKind<IntentView> => ({
  object: "payment",
  table: payments,
  providerId: payments.intentId,
  list: paymentProvider().intentsSince,
  retrieve: paymentProvider().retrieveIntent,
  isOurs: ({ metadata }) => Boolean(metadata.paymentId), // others are of another system with the same provider account
  link: async ({ id, metadata: { paymentId, orderId } }) =>
    paymentId &&
    orderId &&
    db
      .update(payments)
      .set({ intentId: id, updatedAt: shopNow })
      .where(and(eq(payments.id, paymentId), eq(payments.orderId, orderId), isNull(payments.intentId))),
  update: ({ providerId }) => settlePayment(providerId),
});

const refundComparison = (): RecordKind<RefundView> => ({
  object: "refund",
  table: refunds,
  providerId: refunds.providerId,
  list: paymentProvider().refundsSince,
  retrieve: paymentProvider().retrieveRefund,
  // Ours by its metadata, or because it refunds one of our payments (made in the provider's dashboard).
  isOurs: async ({ refundId, intentId }) => Boolean(refundId) || isOurPayment(intentId),
  link: async ({ id, refundId }) =>
    refundId &&
    db
      .update(refunds)
      .set({ providerId: id })
      .where(and(eq(refunds.id, refundId), isNull(refunds.providerId), ne(refunds.state, "failed"))),
  update: ({ id }) => sendRefund(id),
});

/** Compares the provider's recent records with ours, then ours with the provider's, and repairs differences. */
async function compareKind<T extends ProviderRecord>(kind: RecordKind<T>, since: Date): Promise<Comparison> {
  const { object, table, providerId, retrieve } = kind;
  const comparison: Comparison = { checked: 0, differences: [] };
  const comparedIds = new Set<string>();
  const select = (where: SQL): Promise<StoredRecord[]> =>
    db
      .select({
        id: table.id,
        providerId: sql<string>`${providerId}`,
        state: table.state,
        amountCents: table.amountCents,
      })
      .from(table)
      .where(and(isNotNull(providerId), where));
  const findStored = async (id: string) => (await select(eq(providerId, id)))[0];
  for await (const record of kind.list(since)) {
    if (!(await kind.isOurs(record))) continue;
    comparison.checked += 1;
    comparedIds.add(record.id);
    const difference = compareRecords(object, await findStored(record.id), record);
    if (!difference) continue;
    if (difference.kind === "missing_here") await kind.link(record);
    const stored = await findStored(record.id);
    if (stored && difference.kind !== "amount") await tryRepair(() => kind.update(stored), difference);
    const remaining = compareRecords(object, await findStored(record.id), await retrieve(record.id));
    comparison.differences.push({ ...difference, repaired: remaining === null });
  }
  for (const stored of await select(isInPeriod(table.createdAt, since))) {
    if (comparedIds.has(stored.providerId)) continue;
    comparison.checked += 1;
    if (await existsAtProvider(() => retrieve(stored.providerId))) continue;
    const { providerId: id, state, amountCents } = stored;
    const ours = describeRecord(state, amountCents);
    const missing = { object, id, kind: "missing_there", ours, theirs: null, repaired: false } as const;
    comparison.differences.push(missing);
  }
  return comparison;
}

/** SQL: in the compared period less ten minutes at its edges, where a record may be in one list only. */
const isInPeriod = (createdAt: PgColumn, since: Date) =>
  sql`${createdAt} between ${since.toISOString()}::timestamptz + interval '10 minutes' and shop_now() - interval '10 minutes'`;

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

/** Compares our record of a payment or refund with the provider's. An unknown unpaid intent expires by itself. */
function compareRecords(
  object: "payment" | "refund",
  ours: StoredRecord | undefined,
  theirs: ProviderRecord,
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

/** Logs a failed repair, so that the comparison continues. */
async function tryRepair(repair: () => Promise<unknown>, difference: ReconciliationDifference) {
  await repair().catch((error: unknown) =>
    log.warn({ err: error, difference }, "repairing a reconciliation difference failed"),
  );
}

const isOurPayment = async (intentId: string | null): Promise<boolean> =>
  intentId !== null && (await db.$count(payments, eq(payments.intentId, intentId))) > 0;

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
