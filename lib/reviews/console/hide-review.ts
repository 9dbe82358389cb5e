import type { StaffViewer } from "@/lib/platform/auth/session";
import { countAction } from "@/lib/platform/console/action-limits";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";
import type { ReviewModerated } from "@/lib/reviews/console/contract";
import { moderateReview } from "@/lib/reviews/moderation/moderate-review";
import type { ReviewState } from "@/lib/reviews/rules";

async function moderate(
  { userId }: StaffViewer,
  reviewId: string,
  { state, reason, version }: SeenVersion & { state: ReviewState; reason?: string },
): Promise<ReviewModerated> {
  const moderation = { state, staffId: userId, version, ...(reason && { reason }) };
  const outcome = await moderateReview(reviewId, moderation);
  if (!outcome) throw new ShopError("review_unknown");
  if (outcome === "ruled") throw new ShopError("review_ruled");
  if (outcome === "already") throw new ShopError("review_moderated");
  return { review_id: reviewId, state };
}

/**
 * Hides a review from its product's page, rating and markup.
 * @throws ShopError review_unknown, review_moderated, revision_conflict
 */
export async function hideReview(
  viewer: StaffViewer,
  reviewId: string,
  { version, reason }: SeenVersion & { reason: string },
): Promise<ReviewModerated> {
  await countAction(viewer, "review.hide");
  return moderate(viewer, reviewId, { state: "hidden", reason, version });
}

/**
 * Shows a hidden review again.
 * @throws ShopError review_unknown, review_moderated, revision_conflict, review_ruled: it breaks a rule, or its author has
 * another one
 */
export const showReview = (
  viewer: StaffViewer,
  reviewId: string,
  { version }: SeenVersion,
): Promise<ReviewModerated> => moderate(viewer, reviewId, { state: "published", version });
