import { and, desc, eq, isNull } from "drizzle-orm";
import { db } from "@/db/client";
import { sandboxFraudWarnings, sandboxIntents, sandboxReviews } from "@/db/schema/sandbox";
import { commitAndDeliver, recordEvent } from "./events";
import { notFound, type Params, parseParams, stripeId } from "./http";
import { lockIntent } from "./intents";
import { ListParams, listConditions, listObject } from "./lists";
import { fraudWarningObject, reviewObject } from "./objects";

/** Early fraud warnings and reviews: Stripe's calls about them, and their simulation. */
export async function retrieveFraudWarning(id: string) {
  const [found] = await db
    .select({ warning: sandboxFraudWarnings, intent: sandboxIntents })
    .from(sandboxFraudWarnings)
    .innerJoin(sandboxIntents, eq(sandboxIntents.id, sandboxFraudWarnings.intentId))
    .where(eq(sandboxFraudWarnings.id, id));
  if (!found) throw notFound(404, "early_fraud_warning", id, "early_fraud_warning");
  return fraudWarningObject(found.warning, found.intent);
}

export async function retrieveReview(id: string) {
  const [found] = await db.select().from(sandboxReviews).where(eq(sandboxReviews.id, id));
  if (!found) throw notFound(404, "review", id, "review");
  return reviewObject(found);
}

export async function listFraudWarnings(params: Params): Promise<object> {
  const query = parseParams(ListParams, params);
  const rows = await db
    .select({ warning: sandboxFraudWarnings, intent: sandboxIntents })
    .from(sandboxFraudWarnings)
    .innerJoin(sandboxIntents, eq(sandboxIntents.id, sandboxFraudWarnings.intentId))
    .where(listConditions(sandboxFraudWarnings, query))
    .orderBy(desc(sandboxFraudWarnings.createdAt), desc(sandboxFraudWarnings.id))
    .limit(query.limit + 1);
  const objects = rows.map(({ warning, intent }) => fraudWarningObject(warning, intent));
  return listObject("/v1/radar/early_fraud_warnings", objects, query.limit);
}

/** Open ones only, as the provider lists them. */
export async function listReviews(params: Params): Promise<object> {
  const query = parseParams(ListParams, params);
  const rows = await db
    .select()
    .from(sandboxReviews)
    .where(and(isNull(sandboxReviews.closedReason), listConditions(sandboxReviews, query)))
    .orderBy(desc(sandboxReviews.createdAt), desc(sandboxReviews.id))
    .limit(query.limit + 1);
  return listObject("/v1/reviews", rows.map(reviewObject), query.limit);
}

/**
 * Issues a warning of the bank about a paid intent; repeats the event of an existing warning. Returns its id, or null
 * if it is not paid.
 */
export function warnOfSandboxPayment(
  intentId: string,
  fraudType = "made_with_stolen_card",
): Promise<string | null> {
  return commitAndDeliver(async (tx) => {
    const intent = await lockIntent(tx, intentId);
    if (intent?.status !== "succeeded") return null;
    const [warning] = await tx
      .insert(sandboxFraudWarnings)
      .values({ id: stripeId("issfr"), intentId, fraudType })
      .onConflictDoUpdate({ target: sandboxFraudWarnings.intentId, set: { intentId } })
      .returning();
    const object = fraudWarningObject(warning!, intent);
    await recordEvent(tx, { type: "radar.early_fraud_warning.created", object });
    return warning!.id;
  });
}

/** Opens the review of a paid intent, or closes it. Returns its id, or null if there is nothing to review. */
export function reviewSandboxPayment(
  intentId: string,
  closedReason: "approved" | "disputed" | null,
): Promise<string | null> {
  return commitAndDeliver(async (tx) => {
    const intent = await lockIntent(tx, intentId);
    if (intent?.status !== "succeeded") return null;
    const [review] = await tx
      .insert(sandboxReviews)
      .values({ id: stripeId("prv"), intentId, reason: "rule", closedReason })
      .onConflictDoUpdate({ target: sandboxReviews.intentId, set: { closedReason } })
      .returning();
    await recordEvent(tx, {
      type: closedReason ? "review.closed" : "review.opened",
      object: reviewObject(review!),
    });
    return review!.id;
  });
}
