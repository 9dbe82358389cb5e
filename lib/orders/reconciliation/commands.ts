import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { updateDispute } from "@/lib/orders/disputes/commands";
import { settlePayment } from "@/lib/orders/payment/commands";
import { sendRefund } from "@/lib/orders/refunds/commands";
import { RECONCILIATION_DAYS, type ReconciliationDifference } from "@/lib/payments/reconciliation/rules";
import { log } from "@/lib/platform/log";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { IntentView, RefundView } from "@/lib/platform/stripe/views";

export type ReconciliationReport = { day: string; checked: number; differences: ReconciliationDifference[] };

/**
 * Compares payments, refunds and disputes of the last days with the provider's records, repairs what the normal paths
 * can repair, and stores one report a day; the newest counts. Remaining differences raise an alarm. Throws
 * ProviderError, and writes no report, when the provider does not answer.
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
  const unresolved = differences.filter((one) => !one.healed);
  if (unresolved.length > 0)
    log.error({ differences: unresolved }, "reconciliation: our books and the provider's differ");
  else log.info({ checked, healed: differences.length }, "our books and the provider's agree");
  return { day: window!.day, checked, differences };
}

/** The reports of the last days, newest first. */
export async function listReconciliationReports(): Promise<ReconciliationReport[]> {
  const rows = await db.execute<ReconciliationReport>(
    sql`select day::text as day, checked, differences from reconciliation_reports order by day desc limit 7`,
  );
  return [...rows];
}

type Found = { checked: number; differences: ReconciliationDifference[] };
type OurPayment = { id: string; intent_id: string | null; state: string; amount_cents: number };

async function comparePayments(since: Date): Promise<Found> {
  const found: Found = { checked: 0, differences: [] };
  const seen = new Set<string>();
  for await (const intent of paymentProvider().intentsSince(since)) {
    if (!intent.metadata.paymentId) continue; // not this shop's: another system uses the same account
    found.checked += 1;
    seen.add(intent.id);
    const difference = await paymentDifference(intent);
    if (difference) found.differences.push(await healedPayment(difference, intent));
  }
  // A margin at the edges: records of the same minute may fall on either side.
  const ours = await db.execute<OurPayment>(sql`
    select id, intent_id, state, amount_cents from payments where intent_id is not null
      and created_at between ${since.toISOString()}::timestamptz + interval '10 minutes' and shop_now() - interval '10 minutes'`);
  for (const payment of ours) {
    if (seen.has(payment.intent_id!)) continue;
    found.checked += 1;
    if (await isKnown(() => paymentProvider().retrieveIntent(payment.intent_id!))) continue;
    found.differences.push(missingThere("payment", payment.intent_id!, payment));
  }
  return found;
}

const missingThere = (
  object: ReconciliationDifference["object"],
  id: string,
  ours: { state: string; amount_cents: number },
): ReconciliationDifference => ({
  object,
  id,
  kind: "missing_there",
  ours: sumOf(ours.state, ours.amount_cents),
  theirs: null,
  healed: false,
});

const sumOf = (state: string, cents: number) => `${state} ${cents}`;

async function isKnown(retrieve: () => Promise<unknown>): Promise<boolean> {
  try {
    await retrieve();
    return true;
  } catch (error) {
    if (isProviderError(error, "unknown_object")) return false;
    throw error;
  }
}

async function paymentDifference(intent: IntentView): Promise<ReconciliationDifference | null> {
  const [ours] = await db.execute<OurPayment>(
    sql`select id, intent_id, state, amount_cents from payments where intent_id = ${intent.id}`,
  );
  const theirs = sumOf(intent.state, intent.amountCents);
  const difference = { object: "payment" as const, id: intent.id, theirs, healed: false };
  // An unknown unpaid intent has no effect and expires by itself.
  if (!ours) return { ...difference, kind: "missing_here", ours: null };
  const mine = sumOf(ours.state, ours.amount_cents);
  if (ours.amount_cents !== intent.amountCents) return { ...difference, kind: "amount", ours: mine };
  return ours.state === intent.state ? null : { ...difference, kind: "state", ours: mine };
}

/** An intent whose creation was never answered is matched by our idempotency name; then `settlePayment` decides. */
async function healedPayment(
  difference: ReconciliationDifference,
  intent: IntentView,
): Promise<ReconciliationDifference> {
  if (difference.kind === "missing_here")
    await db.execute(sql`
      update payments set intent_id = ${intent.id}, updated_at = shop_now()
      where id = ${intent.metadata.paymentId} and order_id = ${intent.metadata.orderId} and intent_id is null`);
  if (difference.kind !== "amount") await tried(() => settlePayment(intent.id), difference);
  return {
    ...difference,
    healed: (await paymentDifference(await paymentProvider().retrieveIntent(intent.id))) === null,
  };
}

/** The report names what cannot be repaired; the comparison continues. */
async function tried(heal: () => Promise<void>, difference: ReconciliationDifference): Promise<void> {
  await heal().catch((error: unknown) =>
    log.warn({ err: error, difference }, "a reconciliation difference could not be healed"),
  );
}

type OurRefund = { id: string; provider_id: string | null; state: string; amount_cents: number };

async function compareRefunds(since: Date): Promise<Found> {
  const found: Found = { checked: 0, differences: [] };
  const seen = new Set<string>();
  for await (const refund of paymentProvider().refundsSince(since)) {
    seen.add(refund.id);
    if (!(await isOurs(refund))) continue;
    found.checked += 1;
    const difference = await refundDifference(refund);
    if (difference) found.differences.push(await healedRefund(difference, refund));
  }
  const ours = await db.execute<OurRefund>(sql`
    select id, provider_id, state, amount_cents from refunds where provider_id is not null
      and created_at between ${since.toISOString()}::timestamptz + interval '10 minutes' and shop_now() - interval '10 minutes'`);
  for (const refund of ours) {
    if (seen.has(refund.provider_id!)) continue;
    found.checked += 1;
    if (await isKnown(() => paymentProvider().retrieveRefund(refund.provider_id!))) continue;
    found.differences.push(missingThere("refund", refund.provider_id!, refund));
  }
  return found;
}

/** Ours by its metadata, or because it refunds one of our payments: then it was made in the provider's dashboard. */
async function isOurs({ refundId, intentId }: RefundView): Promise<boolean> {
  if (refundId) return true;
  return (await db.execute(sql`select 1 from payments where intent_id = ${intentId}`)).length > 0;
}

async function refundDifference(refund: RefundView): Promise<ReconciliationDifference | null> {
  const [ours] = await db.execute<OurRefund>(sql`
    select id, provider_id, state, amount_cents from refunds where provider_id = ${refund.id}`);
  const theirs = sumOf(refund.state, refund.amountCents);
  const difference = { object: "refund" as const, id: refund.id, theirs, healed: false };
  if (!ours) return { ...difference, kind: "missing_here", ours: null };
  const mine = sumOf(ours.state, ours.amount_cents);
  if (ours.amount_cents !== refund.amountCents) return { ...difference, kind: "amount", ours: mine };
  return ours.state === refund.state ? null : { ...difference, kind: "state", ours: mine };
}

async function healedRefund(
  difference: ReconciliationDifference,
  { id, refundId }: RefundView,
): Promise<ReconciliationDifference> {
  if (difference.kind === "missing_here" && refundId)
    await db.execute(sql`
      update refunds set provider_id = ${id} where id = ${refundId} and provider_id is null and state <> 'failed'`);
  const [ours] = await db.execute<{ id: string }>(sql`select id from refunds where provider_id = ${id}`);
  if (ours && difference.kind !== "amount") await tried(() => sendRefund(ours.id), difference);
  return {
    ...difference,
    healed: (await refundDifference(await paymentProvider().retrieveRefund(id))) === null,
  };
}

/** Disputes without a webhook event, and those that are open here and may be closed there. */
async function compareDisputes(since: Date): Promise<Found> {
  const found: Found = { checked: 0, differences: [] };
  const statusOf = async (id: string) => {
    const [row] = await db.execute<{ status: string }>(sql`select status from disputes where id = ${id}`);
    return row?.status ?? null;
  };
  const look = async (id: string, theirs: string) => {
    found.checked += 1;
    const ours = await statusOf(id);
    if (ours === theirs) return;
    const kind = ours === null ? ("missing_here" as const) : ("state" as const);
    const difference: ReconciliationDifference = { object: "dispute", id, kind, ours, theirs, healed: false };
    await tried(() => updateDispute(id), difference);
    found.differences.push({ ...difference, healed: (await statusOf(id)) === theirs });
  };
  const seen = new Set<string>();
  for await (const dispute of paymentProvider().disputesSince(since)) {
    const ours = await db.execute(sql`select 1 from payments where intent_id = ${dispute.intentId}`);
    if (ours.length === 0) continue;
    seen.add(dispute.id);
    await look(dispute.id, dispute.status);
  }
  const open = await db.execute<{ id: string }>(sql`select id from disputes where is_open`);
  for (const { id } of open)
    if (!seen.has(id)) await look(id, (await paymentProvider().retrieveDispute(id)).status);
  return found;
}
