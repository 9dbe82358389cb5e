import { sql } from "drizzle-orm";
import { db } from "@/db/client";
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
  const payments = await comparePayments(since);
  const refunds = await compareRefunds(since);
  const disputes = await compareDisputes(since);
  const differences = [...payments.differences, ...refunds.differences, ...disputes.differences];
  const checked = payments.checked + refunds.checked + disputes.checked;
  await db.execute(sql`
    insert into reconciliation_reports (day, checked, differences) values (${window!.day}, ${checked}, ${JSON.stringify(differences)}::jsonb)
    on conflict (day) do update set checked = excluded.checked, differences = excluded.differences, created_at = shop_now()`);
  const unresolved = differences.filter((difference) => !difference.repaired);
  if (unresolved.length > 0)
    log.error({ differences: unresolved }, "reconciliation found differences that could not be repaired");
  else log.info({ checked, repaired: differences.length }, "reconciliation found no open differences");
  return { day: window!.day, checked, differences };
}

/** The reports of the last days, newest first. */
export async function listReconciliationReports(): Promise<ReconciliationReport[]> {
  const rows = await db.execute<ReconciliationReport>(
    sql`select day::text as day, checked, differences from reconciliation_reports order by day desc limit 7`,
  );
  return [...rows];
}

type Comparison = { checked: number; differences: ReconciliationDifference[] };
type PaymentRow = { id: string; intent_id: string; state: string; amount_cents: number };
type RefundRow = { id: string; provider_id: string; state: string; amount_cents: number };

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
  // A margin of ten minutes, because a record at the edges of the period may be in one list only.
  const payments = await db.execute<PaymentRow>(sql`
    select id, intent_id, state, amount_cents from payments where intent_id is not null
      and created_at between ${since.toISOString()}::timestamptz + interval '10 minutes' and shop_now() - interval '10 minutes'`);
  for (const payment of payments) {
    if (comparedIds.has(payment.intent_id)) continue;
    comparison.checked += 1;
    if (await existsAtProvider(() => paymentProvider().retrieveIntent(payment.intent_id))) continue;
    comparison.differences.push(missingAtProvider("payment", payment.intent_id, payment));
  }
  return comparison;
}

const missingAtProvider = (
  object: ReconciliationDifference["object"],
  id: string,
  { state, amount_cents }: { state: string; amount_cents: number },
): ReconciliationDifference => ({
  object,
  id,
  kind: "missing_there",
  ours: describeRecord(state, amount_cents),
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
  const [payment] = await db.execute<PaymentRow>(
    sql`select id, intent_id, state, amount_cents from payments where intent_id = ${intent.id}`,
  );
  // An unknown unpaid intent has no effect and expires by itself.
  return compareRecords("payment", payment, intent);
}

/** Compares our record of a payment or refund with the provider's. */
function compareRecords(
  object: "payment" | "refund",
  ours: { state: string; amount_cents: number } | undefined,
  theirs: { id: string; state: string; amountCents: number },
): ReconciliationDifference | null {
  const difference = {
    object,
    id: theirs.id,
    ours: ours ? describeRecord(ours.state, ours.amount_cents) : null,
    theirs: describeRecord(theirs.state, theirs.amountCents),
    repaired: false,
  };
  if (!ours) return { ...difference, kind: "missing_here" };
  if (ours.amount_cents !== theirs.amountCents) return { ...difference, kind: "amount" };
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
  if (difference.kind === "missing_here")
    await db.execute(sql`
      update payments set intent_id = ${intent.id}, updated_at = shop_now()
      where id = ${intent.metadata.paymentId} and order_id = ${intent.metadata.orderId} and intent_id is null`);
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
  const refunds = await db.execute<RefundRow>(sql`
    select id, provider_id, state, amount_cents from refunds where provider_id is not null
      and created_at between ${since.toISOString()}::timestamptz + interval '10 minutes' and shop_now() - interval '10 minutes'`);
  for (const refund of refunds) {
    if (comparedIds.has(refund.provider_id)) continue;
    comparison.checked += 1;
    if (await existsAtProvider(() => paymentProvider().retrieveRefund(refund.provider_id))) continue;
    comparison.differences.push(missingAtProvider("refund", refund.provider_id, refund));
  }
  return comparison;
}

/** A refund is ours by its metadata, or because it refunds one of our payments (made in the provider's dashboard). */
async function isOurs({ refundId, intentId }: RefundView): Promise<boolean> {
  if (refundId) return true;
  const payments = await db.execute(sql`select 1 from payments where intent_id = ${intentId}`);
  return payments.length > 0;
}

async function findRefundDifference(refund: RefundView): Promise<ReconciliationDifference | null> {
  const [stored] = await db.execute<RefundRow>(sql`
    select id, provider_id, state, amount_cents from refunds where provider_id = ${refund.id}`);
  return compareRecords("refund", stored, refund);
}

async function repairRefund(
  difference: ReconciliationDifference,
  { id, refundId }: RefundView,
): Promise<ReconciliationDifference> {
  if (difference.kind === "missing_here" && refundId)
    await db.execute(sql`
      update refunds set provider_id = ${id} where id = ${refundId} and provider_id is null and state <> 'failed'`);
  const [stored] = await db.execute<{ id: string }>(sql`select id from refunds where provider_id = ${id}`);
  if (stored && difference.kind !== "amount") await tryRepair(() => sendRefund(stored.id), difference);
  const remaining = await findRefundDifference(await paymentProvider().retrieveRefund(id));
  return { ...difference, repaired: remaining === null };
}

/** Compares the provider's recent disputes, and older ones that are still open here. */
async function compareDisputes(since: Date): Promise<Comparison> {
  const results: (ReconciliationDifference | null)[] = [];
  const comparedIds = new Set<string>();
  for await (const dispute of paymentProvider().disputesSince(since)) {
    const payments = await db.execute(sql`select 1 from payments where intent_id = ${dispute.intentId}`);
    if (payments.length === 0) continue;
    comparedIds.add(dispute.id);
    results.push(await compareDispute(dispute.id, dispute.status));
  }
  const openDisputes = await db.execute<{ id: string }>(sql`select id from disputes where is_open`);
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
  const [dispute] = await db.execute<{ status: string }>(sql`select status from disputes where id = ${id}`);
  return dispute?.status ?? null;
}
