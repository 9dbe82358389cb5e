import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { db, shopNow } from "@/db/client";
import { lostPayments, payments, reconciliationReports, refunds } from "@/db/schema/payments";
import { repairPayment } from "@/lib/orders/payment/repair-payment";
import { resolveUnrecordedIntent } from "@/lib/orders/payment/resolve-unrecorded-intent";
import { recordProviderRefund } from "@/lib/orders/refunds/record-provider-refund";
import { sendRefund } from "@/lib/orders/refunds/send-refund";
import { RECONCILIATION_DAYS, type ReconciliationDifference } from "@/lib/payments/rules";
import { log } from "@/lib/platform/log";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { IntentView, RefundView } from "@/lib/platform/stripe/views";
import { compareDisputes } from "./compare-disputes";
import { compareKind, isOurPayment, type RecordKind } from "./compare-records";
import { compareReviews, compareWarnings } from "./compare-warnings";

export type ReconciliationReport = { day: string; checked: number; differences: ReconciliationDifference[] };

/**
 * Compares payments, refunds, disputes, early fraud warnings and reviews of the last days, and what the ledger has booked for them, with the
 * provider's records. Repairs differences through the normal operations: a lost response is linked, a duplicate intent
 * is cancelled or refunded, a refund that the shop did not request is booked, a wrong amount is corrected. Stores one
 * report a day, which the newest run replaces. Remaining differences are logged as an error. `since`: a different
 * start.
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
    await compareWarnings(since),
    await compareReviews(since),
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

/** Links a refund whose creation got no response, or records one that the shop did not request. */
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

const isLostPayment = async (intentId: string | null): Promise<boolean> =>
  intentId !== null && (await db.$count(lostPayments, eq(lostPayments.intentId, intentId))) > 0;
