import { eq, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { reviews } from "@/db/schema/reviews";
import { audit } from "@/lib/platform/audit";
import { requireShownRow, versionSql } from "@/lib/platform/console/query";
import { type ReviewState, reviewRule } from "@/lib/reviews/rules";

/** SQL: the version of a review `r`. */
export const REVIEW_VERSION = versionSql(
  sql`r.id`,
  sql`r.state`,
  sql`r.rating`,
  sql`r.title`,
  sql`r.content`,
);

export type Moderation = {
  state: ReviewState;
  /** The deciding staff member: `staff:mara`. */
  staffId: string;
  /** Internal reason for staff. */
  reason?: string;
  /** what was shown of it */
  version: string | undefined;
};

type Author = Pick<typeof reviews.$inferSelect, "productId" | "userId" | "authorIdentity">;

/** Whether the author has another live review of the product. */
async function hasOther(tx: Tx, id: string, { productId, userId, authorIdentity }: Author): Promise<boolean> {
  const others = await tx.execute(sql`
    select from reviews r where r.product_id = ${productId} and r.state = 'published' and r.id <> ${id} and not r.demo
      and (r.user_id = ${userId} or r.author_identity = ${authorIdentity}) limit 1`);
  return others.length > 0;
}

type Moderated = "done" | "already" | "ruled" | null;

/**
 * Hides a review everywhere, or shows it again. `already`: no change; `ruled`: a rule keeps it hidden. Null when there is no
 * such review.
 * @throws ShopError revision_conflict: its author has rewritten it since
 */
export const moderateReview = (
  reviewId: string,
  { version, ...moderation }: Moderation,
): Promise<Moderated> =>
  transaction((tx) => {
    const from = sql`reviews r where r.id = ${reviewId}`;
    return moderateWithin(tx, reviewId, moderation, () =>
      requireShownRow(tx, { version }, { version: REVIEW_VERSION, from }),
    );
  });

/** The same within a decision that was made by what was shown; `check` runs under the review's lock. */
export async function moderateWithin(
  tx: Tx,
  reviewId: string,
  { state, staffId, reason }: Omit<Moderation, "version">,
  check?: () => Promise<void>,
): Promise<Moderated> {
  const [review] = await tx
    .select({
      state: reviews.state,
      reason: reviews.hiddenReason,
      productId: reviews.productId,
      userId: reviews.userId,
      authorIdentity: reviews.authorIdentity,
    })
    .from(reviews)
    .where(eq(reviews.id, reviewId))
    .for("update");
  if (!review) return null;
  if (review.state === state) return "already";
  await check?.();
  const hidden = state === "hidden";
  if (!hidden && (reviewRule(review.reason) || (await hasOther(tx, reviewId, review)))) return "ruled";
  await tx
    .update(reviews)
    .set({
      state,
      hiddenAt: hidden ? shopNow : null,
      hiddenReason: hidden ? (reason ?? null) : null,
    })
    .where(eq(reviews.id, reviewId));
  const action = hidden ? "review_hidden" : "review_shown";
  await audit({ actor: staffId, action, subject: reviewId, detail: reason ? { reason } : {} }, tx);
  return "done";
}
