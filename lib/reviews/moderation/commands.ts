import { eq } from "drizzle-orm";
import { shopNow, transaction } from "@/db/client";
import { reviews } from "@/db/schema/reviews";
import { audit } from "@/lib/platform/audit";
import type { ReviewState } from "@/lib/reviews/rules";

export type Moderation = {
  state: ReviewState;
  /** The deciding staff member: `staff:mara`. */
  staffId: string;
  /** Internal reason for staff. */
  reason?: string;
};

/** Hides a review everywhere, or shows it again. `already`: no change. Null when there is no such review. */
export async function moderateReview(
  reviewId: string,
  { state, staffId, reason }: Moderation,
): Promise<"done" | "already" | null> {
  return transaction(async (tx) => {
    const [review] = await tx
      .select({ state: reviews.state })
      .from(reviews)
      .where(eq(reviews.id, reviewId))
      .for("update");
    if (!review) return null;
    if (review.state === state) return "already";
    const hidden = state === "hidden";
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
  });
}
