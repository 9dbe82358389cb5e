"use client";

import { api } from "@/lib/platform/api/client";
import { REVIEWS_SHOWN } from "@/lib/reviews/rules";
import { ReviewItem } from "./review-item";
import type { ReviewListLabels } from "./review-list";

type ReviewPageRequest = { productId: number; page: number; labels: ReviewListLabels };

/**
 * Loads one page of a product's reviews and whether it is the last. `MoreReviews` loads this module on the first
 * press.
 * @throws Error when the page cannot be loaded
 */
export async function loadReviewPage({ productId, page, labels }: ReviewPageRequest) {
  const query = { product_id: productId, page, size: REVIEWS_SHOWN };
  const result = await api.get("/comment/list", query, { networkMessage: labels.network });
  if (!result.ok) throw new Error(result.message);
  const { items, total } = result.data;
  return {
    rows: items.map((review) => ({
      id: review.review_id,
      node: <ReviewItem key={review.review_id} {...{ review, labels }} locale={labels.locale} />,
    })),
    last: page * REVIEWS_SHOWN >= total,
  };
}
