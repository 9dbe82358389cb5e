import { eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { disputes } from "@/db/schema/payments";
import { updateDispute } from "@/lib/orders/disputes/update-dispute";
import type { ReconciliationDifference } from "@/lib/payments/rules";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { DisputeView } from "@/lib/platform/stripe/views";
import { type Comparison, describeRecord, findAtProvider, isOurPayment, tryRepair } from "./compare-records";

/** Compares the provider's recent disputes, and older ones that are still open here. */
export async function compareDisputes(since: Date): Promise<Comparison> {
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
