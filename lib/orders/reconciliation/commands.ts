import { and, desc, eq, getTableName, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { db, shopNow } from "@/db/client";
import { disputes, lostPayments, payments, reconciliationReports, refunds } from "@/db/schema/payments";
import { updateDispute } from "@/lib/orders/disputes/commands";
import { repairPayment } from "@/lib/orders/payment/commands";
import { resolveUnrecordedIntent } from "@/lib/orders/payment/commands-duplicates";
import { sendRefund } from "@/lib/orders/refunds/commands";
import { recordProviderRefund } from "@/lib/orders/refunds/commands-provider";
import { type LedgerAccount, RECONCILIATION_DAYS, type ReconciliationDifference } from "@/lib/payments/rules";
import { log } from "@/lib/platform/log";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { DisputeView, IntentView, RefundView } from "@/lib/platform/stripe/views";

export type ReconciliationReport = { day: string; checked: number; differences: ReconciliationDifference[] };

/**
 * Compares payments, refunds and disputes of the last days, and what the ledger has booked for them, with the provider's
 * records. Repairs differences through the normal commands: a lost response is linked, a duplicate intent is cancelled or
 * refunded, a refund that the shop did not ask for is booked, a wrong amount is corrected. Stores one report a day; the
 * newest run replaces it. Remaining differences are logged as an error. `since`: another start than days ago.
 * @throws ProviderError, without a report, when the provider does not respond
 */
export async function reconcileWithProvider({
  since: from,
}: {
  since?: Date;
} = {}): Promise<ReconciliationReport> {
  const [window] = await db.execute<{ since: string; day: string }>(sql`
    select shop_now() - make_interval(days => ${RECONCILIATION_DAYS}) as since, (shop_now() at time zone 'UTC')::date::text as day`);
  const since = from ?? new Date(window!.since);
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
/** A payment or refund as stored here; `providerId` is its id at the provider, `bookedCents` its sum in the ledger. */
type StoredRecord = {
  id: string;
  providerId: string;
  state: string;
  amountCents: number;
  bookedCents: number;
};
/** `movedCents`: the money that it has moved at the provider. */
type ProviderRecord = { id: string; state: string; amountCents: number; movedCents: number };
type DifferenceKind = ReconciliationDifference["kind"];

/** How the payments, or the refunds, are compared. */
type RecordKind<T extends { id: string }> = {
  object: "payment" | "refund";
  table: typeof payments | typeof refunds;
  providerId: PgColumn;
  /** The ledger account that shows the money of a record. */
  account: LedgerAccount;
  list: (since: Date) => AsyncIterable<T>;
  retrieve: (id: string) => Promise<T>;
  isOurs: (record: T) => boolean | Promise<boolean>;
  toRecord: (record: T) => ProviderRecord;
  /** Links a record whose creation got no response, by the ids in its metadata, or handles it as a duplicate. */
  resolve: (record: T) => Promise<unknown>;
  update: (stored: StoredRecord) => Promise<unknown>;
};

const paymentComparison = (): RecordKind<IntentView> => ({
  object: "payment",
  table: payments,
  providerId: payments.intentId,
  account: "provider_cash",
  list: paymentProvider().intentsSince,
  retrieve: paymentProvider().retrieveIntent,
  // Others are of another system with the same provider account, or their orders were lost in a restore.
  isOurs: async ({ id, metadata }) => Boolean(metadata.paymentId) && !(await isLostPayment(id)),
  toRecord: (intent) => ({
    ...intent,
    movedCents: intent.state === "succeeded" ? intent.amountReceivedCents : 0,
  }),
  resolve: resolveUnrecordedIntent,
  update: ({ providerId }) => repairPayment(providerId),
});

const refundComparison = (): RecordKind<RefundView> => ({
  object: "refund",
  table: refunds,
  providerId: refunds.providerId,
  account: "refunds",
  list: paymentProvider().refundsSince,
  retrieve: paymentProvider().retrieveRefund,
  // Ours by its metadata, or because it refunds one of our payments (made in the provider's dashboard).
  isOurs: async ({ refundId, intentId }) =>
    (Boolean(refundId) && !(await isLostPayment(intentId))) || isOurPayment(intentId),
  toRecord: (refund) => ({ ...refund, movedCents: refund.state === "succeeded" ? refund.amountCents : 0 }),
  resolve: resolveUnrecordedRefund,
  update: ({ id }) => sendRefund(id),
});

/** Links a refund whose creation got no response, or records one that the shop did not ask for. */
async function resolveUnrecordedRefund(refund: RefundView): Promise<void> {
  const linked =
    refund.refundId === null
      ? []
      : await db
          .update(refunds)
          .set({ providerId: refund.id })
          .where(
            and(eq(refunds.id, refund.refundId), isNull(refunds.providerId), eq(refunds.state, "pending")),
          )
          .returning({ id: refunds.id });
  if (linked.length === 0) await recordProviderRefund(refund);
}

/** Compares the provider's recent records with ours, then ours with the provider's, and repairs differences. */
async function compareKind<T extends { id: string }>(kind: RecordKind<T>, since: Date): Promise<Comparison> {
  const { object, table, providerId, account, retrieve, toRecord } = kind;
  const comparison: Comparison = { checked: 0, differences: [] };
  const comparedIds = new Set<string>();
  const name = sql.identifier(getTableName(table));
  const select = (where: SQL): Promise<StoredRecord[]> =>
    db
      .select({
        id: table.id,
        providerId: sql<string>`${providerId}`,
        state: table.state,
        amountCents: table.amountCents,
        // The name of the table stands in the text, because the builder writes columns of a single table without it.
        bookedCents: sql<number>`(select coalesce(sum(e.amount_cents), 0)::int from ledger_entries e
          where e.order_id = ${name}.order_id and e.account = ${account}
            and (e.transfer_id = ${name}.id or starts_with(e.transfer_id, ${name}.id || ':')))`,
      })
      .from(table)
      .where(and(isNotNull(providerId), where));
  const compareNow = async (record: T) => {
    const [stored] = await select(eq(providerId, record.id));
    return { stored, difference: compareRecords(object, stored, toRecord(record)) };
  };
  for await (const record of kind.list(since)) {
    if (!(await kind.isOurs(record))) continue;
    comparison.checked += 1;
    comparedIds.add(record.id);
    const { difference } = await compareNow(record);
    if (!difference) continue;
    await tryRepair(async () => {
      if (difference.kind === "missing_here") await kind.resolve(record);
      const { stored } = await compareNow(record);
      if (stored) await kind.update(stored);
    }, difference);
    const { difference: remaining } = await compareNow(await retrieve(record.id));
    comparison.differences.push({ ...difference, repaired: remaining === null });
  }
  for (const stored of await select(isInPeriod(table.createdAt, since))) {
    if (comparedIds.has(stored.providerId)) continue;
    comparison.checked += 1;
    if (await findAtProvider(() => retrieve(stored.providerId))) continue;
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

/** The provider's record, or null when the provider does not know its id. */
async function findAtProvider<T>(retrieve: () => Promise<T>): Promise<T | null> {
  try {
    return await retrieve();
  } catch (error) {
    if (isProviderError(error, "unknown_object")) return null;
    throw error;
  }
}

/** Compares our record of a payment or refund with the provider's. */
function compareRecords(
  object: "payment" | "refund",
  ours: StoredRecord | undefined,
  theirs: ProviderRecord,
): ReconciliationDifference | null {
  const kind = findDifference(ours, theirs);
  return (
    kind && {
      object,
      id: theirs.id,
      kind,
      ours: ours ? describeRecord(ours.state, ours.bookedCents || ours.amountCents) : null,
      theirs: describeRecord(theirs.state, theirs.movedCents || theirs.amountCents),
      repaired: false,
    }
  );
}

function findDifference(ours: StoredRecord | undefined, theirs: ProviderRecord): DifferenceKind | null {
  const isOver = CLOSED_STATES.includes(theirs.state);
  if (!ours) return isOver ? null : "missing_here";
  if (ours.amountCents !== theirs.amountCents && ours.bookedCents !== theirs.movedCents) return "amount";
  // A duplicate payment is closed here and succeeded there. Its money is booked and refunded.
  const isSame =
    ours.state === theirs.state || (CLOSED_STATES.includes(ours.state) && (isOver || ours.bookedCents > 0));
  if (!isSame) return "state";
  if (ours.bookedCents !== theirs.movedCents) return "amount";
  return theirs.movedCents === 0 && !isOver && ours.amountCents !== theirs.amountCents ? "amount" : null;
}

/** States in which a payment or refund moves no money any more. */
const CLOSED_STATES = ["canceled", "cancelled", "failed", "settled"];

/** Logs a failed repair, so that the comparison continues. */
async function tryRepair(repair: () => Promise<unknown>, difference: ReconciliationDifference) {
  await repair().catch((error: unknown) =>
    log.warn({ err: error, difference }, "repairing a reconciliation difference failed"),
  );
}

const isLostPayment = async (intentId: string | null): Promise<boolean> =>
  intentId !== null && (await db.$count(lostPayments, eq(lostPayments.intentId, intentId))) > 0;

const isOurPayment = async (intentId: string | null): Promise<boolean> =>
  intentId !== null && (await db.$count(payments, eq(payments.intentId, intentId))) > 0;

/** Compares the provider's recent disputes, and older ones that are still open here. */
async function compareDisputes(since: Date): Promise<Comparison> {
  const results: (ReconciliationDifference | null)[] = [];
  const comparedIds = new Set<string>();
  for await (const dispute of paymentProvider().disputesSince(since)) {
    if (!(await isOurPayment(dispute.intentId))) continue;
    comparedIds.add(dispute.id);
    results.push(await compareDispute(dispute));
  }
  const openDisputes = await db.select({ id: disputes.id }).from(disputes).where(eq(disputes.isOpen, true));
  for (const { id } of openDisputes) {
    if (comparedIds.has(id)) continue;
    const theirs = await findAtProvider(() => paymentProvider().retrieveDispute(id));
    results.push(theirs ? await compareDispute(theirs) : await disputeMissingThere(id));
  }
  return { checked: results.length, differences: results.filter((difference) => difference !== null) };
}

async function compareDispute(theirs: DisputeView): Promise<ReconciliationDifference | null> {
  const { id, status, amountCents, isLost } = theirs;
  const stored = await findStoredDispute(id);
  const isSame = (ours: StoredDispute | undefined) =>
    ours?.status === status &&
    ours.amountCents === amountCents &&
    ours.bookedCents === (isLost ? amountCents : 0);
  if (isSame(stored)) return null;
  const difference: ReconciliationDifference = {
    object: "dispute",
    id,
    kind: !stored ? "missing_here" : stored.status === status ? "amount" : "state",
    ours: stored ? describeRecord(stored.status, isLost ? stored.bookedCents : stored.amountCents) : null,
    theirs: describeRecord(status, amountCents),
    repaired: false,
  };
  await tryRepair(() => updateDispute(id), difference);
  return { ...difference, repaired: isSame(await findStoredDispute(id)) };
}

/** An open dispute that the provider does not know, for example of another account of the provider. */
async function disputeMissingThere(id: string): Promise<ReconciliationDifference> {
  const { status, amountCents } = (await findStoredDispute(id))!;
  const ours = describeRecord(status, amountCents);
  return { object: "dispute", id, kind: "missing_there", ours, theirs: null, repaired: false };
}

type StoredDispute = { status: string; amountCents: number; bookedCents: number };

async function findStoredDispute(id: string): Promise<StoredDispute | undefined> {
  const [dispute] = await db.execute<StoredDispute>(sql`
    select d.status, d.amount_cents as "amountCents", (select coalesce(sum(e.amount_cents), 0)::int from ledger_entries e
      where e.order_id = d.order_id and e.account = 'refunds' and (e.transfer_id = d.id or starts_with(e.transfer_id, d.id || ':'))) as "bookedCents"
    from disputes d where d.id = ${id}`);
  return dispute;
}
