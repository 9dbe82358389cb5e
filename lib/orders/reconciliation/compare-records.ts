import { and, eq, getTableName, isNotNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { db } from "@/db/client";
import { payments, type refunds } from "@/db/schema/payments";
import type { LedgerAccount, ReconciliationDifference } from "@/lib/payments/rules";
import { log } from "@/lib/platform/log";
import { isProviderError } from "@/lib/platform/stripe/errors";

export type Comparison = { checked: number; differences: ReconciliationDifference[] };
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
export type RecordKind<T extends { id: string }> = {
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

/** Compares the provider's recent records with ours, then ours with the provider's, and repairs differences. */
export async function compareKind<T extends { id: string }>(
  kind: RecordKind<T>,
  since: Date,
): Promise<Comparison> {
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
        // The table name is in the text, because the builder writes columns of a single table without it.
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

/** SQL: in the compared period less ten minutes at its edges, where a record may be in only one list. */
const isInPeriod = (createdAt: PgColumn, since: Date) =>
  sql`${createdAt} between ${since.toISOString()}::timestamptz + interval '10 minutes' and shop_now() - interval '10 minutes'`;

export const describeRecord = (state: string, cents: number) => `${state} ${cents}`;

/** The provider's record, or null when the provider does not know its id. */
export async function findAtProvider<T>(retrieve: () => Promise<T>): Promise<T | null> {
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
export async function tryRepair(repair: () => Promise<unknown>, difference: ReconciliationDifference) {
  await repair().catch((error: unknown) =>
    log.warn({ err: error, difference }, "repairing a reconciliation difference failed"),
  );
}

export const isOurPayment = async (intentId: string | null): Promise<boolean> =>
  intentId !== null && (await db.$count(payments, eq(payments.intentId, intentId))) > 0;
