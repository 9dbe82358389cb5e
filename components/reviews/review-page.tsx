"use client";

import { Stars } from "@/components/ui/stars";
import { api } from "@/lib/platform/api/client";
import { formatDate } from "@/lib/platform/format";
import { HTML_LANG } from "@/lib/platform/i18n/locales";
import type { ReviewView } from "@/lib/reviews/contract";
import { REVIEWS_SHOWN } from "@/lib/reviews/rules";

/** `rating` contains %s. `lang` is the page's language. */
export type MoreReviewsLabels = {
  more: string;
  network: string;
  rating: string;
  verified: string;
  lang: string;
};
type ReviewPageRequest = { productId: number; page: number; labels: MoreReviewsLabels };

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
      node: <LaterReview key={review.review_id} review={review} labels={labels} />,
    })),
    last: page * REVIEWS_SHOWN >= total,
  };
}

function LaterReview({ review, labels }: { review: ReviewView; labels: MoreReviewsLabels }) {
  const lang = HTML_LANG[review.language];
  return (
    <li className="border-t border-hairline py-5">
      <Stars rating={review.rating} label={labels.rating.replace("%s", String(review.rating))} />
      <h3 className="pt-1 text-15 font-semibold" lang={lang}>
        {review.title}
      </h3>
      <p className="pt-1 whitespace-pre-line [overflow-wrap:anywhere]" lang={lang}>
        {review.content}
      </p>
      <p className="pt-1.5 text-13 text-quiet">
        {`${review.author} · ${formatDate(review.created_at, labels.lang.slice(0, 2))} · ${labels.verified}`}
      </p>
    </li>
  );
}
