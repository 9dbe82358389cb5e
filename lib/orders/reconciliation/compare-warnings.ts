import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { fraudWarnings, paymentReviews } from "@/db/schema/payments";
import { updateFraudWarning } from "@/lib/orders/fraud/update-fraud-warning";
import { updateReview } from "@/lib/orders/fraud/update-review";
import type { ReconciliationDifference } from "@/lib/payments/rules";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { ReviewView } from "@/lib/platform/stripe/views";
import { type Comparison, findAtProvider, isOurPayment, tryRepair } from "./compare-records";

/** Decides the provider's recent early fraud warnings whose event was lost, or whose job has not run, as their event does. */
export async function compareWarnings(since: Date): Promise<Comparison> {
  const comparison: Comparison = { checked: 0, differences: [] };
  const stateOf = async (id: string) => {
    const [stored] = await db
      .select({ state: fraudWarnings.state })
      .from(fraudWarnings)
      .where(eq(fraudWarnings.id, id));
    return stored?.state ?? null;
  };
  const isDecided = (state: string | null) => state !== null && state !== "received";
  for await (const { id, intentId, fraudType } of paymentProvider().fraudWarningsSince(since)) {
    if (!(await isOurPayment(intentId))) continue;
    comparison.checked += 1;
    const state = await stateOf(id);
    if (isDecided(state)) continue;
    const kind = state === null ? "missing_here" : "state";
    const difference: ReconciliationDifference = {
      object: "fraud_warning",
      id,
      kind,
      ours: state,
      theirs: fraudType,
      repaired: false,
    };
    await tryRepair(() => updateFraudWarning(id), difference);
    comparison.differences.push({ ...difference, repaired: isDecided(await stateOf(id)) });
  }
  return comparison;
}

/** Compares the provider's recent reviews, and those that are open here. */
export async function compareReviews(since: Date): Promise<Comparison> {
  const results: (ReconciliationDifference | null)[] = [];
  const comparedIds = new Set<string>();
  for await (const review of paymentProvider().reviewsSince(since)) {
    if (!(await isOurPayment(review.intentId))) continue;
    comparedIds.add(review.id);
    results.push(await compareReview(review));
  }
  const open = await db
    .select({ id: paymentReviews.id })
    .from(paymentReviews)
    .where(eq(paymentReviews.isOpen, true));
  for (const { id } of open) {
    if (comparedIds.has(id)) continue;
    // The provider lists open ones only.
    const theirs = await findAtProvider(() => paymentProvider().retrieveReview(id));
    results.push(
      theirs
        ? await compareReview(theirs)
        : { object: "review", id, kind: "missing_there", ours: "open", theirs: null, repaired: false },
    );
  }
  return { checked: results.length, differences: results.filter((difference) => difference !== null) };
}

async function compareReview({ id, isOpen }: ReviewView): Promise<ReconciliationDifference | null> {
  const find = async () => {
    const [stored] = await db
      .select({ isOpen: paymentReviews.isOpen })
      .from(paymentReviews)
      .where(eq(paymentReviews.id, id));
    return stored?.isOpen ?? null;
  };
  const nameOf = (open: boolean) => (open ? "open" : "closed");
  const ours = await find();
  // One that was closed here stays closed.
  if (ours === isOpen || ours === false) return null;
  const difference: ReconciliationDifference = {
    object: "review",
    id,
    kind: ours === null ? "missing_here" : "state",
    ours: ours === null ? null : nameOf(ours),
    theirs: nameOf(isOpen),
    repaired: false,
  };
  await tryRepair(() => updateReview(id), difference);
  return { ...difference, repaired: (await find()) === isOpen };
}
