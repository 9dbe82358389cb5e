import { useLocale, useTranslations } from "next-intl";
import type { CSSProperties } from "react";
import { Link } from "@/components/ui/link";
import { Stars } from "@/components/ui/stars";
import type { ReviewList } from "@/lib/reviews/contract";
import { REVIEWS_SHOWN } from "@/lib/reviews/rules";
import { MoreReviews } from "./more-reviews";
import { ReviewItem } from "./review-item";

/** The reviews of a product: the summary, the newest reviews and a button for more. */
export function Reviews({ productId, reviews }: { productId: number; reviews: ReviewList }) {
  const t = useTranslations("reviews");
  const locale = useLocale();
  const { summary, items } = reviews;
  const labels = useReviewListLabels();
  return (
    <section aria-labelledby="reviews" className="@container">
      <h2 id="reviews" className="pb-3 text-21">
        {t("title")}
      </h2>
      {summary.average === null ? (
        <p className="text-quiet">{t("none")}</p>
      ) : (
        <div className="grid grid-cols-[15rem_minmax(0,1fr)] items-start gap-x-16 gap-y-4 @max-[48rem]:grid-cols-1">
          <div>
            <Summary summary={summary} />
            <Link
              href="/ranking-and-reviews"
              className="inline-flex min-h-11 items-center text-13 text-quiet underline"
            >
              {t("how")}
            </Link>
          </div>
          <div className="max-w-text">
            <ul>
              {items.map((review) => (
                <ReviewItem key={review.review_id} {...{ review, locale, labels }} />
              ))}
            </ul>
            {summary.count > REVIEWS_SHOWN && (
              <MoreReviews
                productId={productId}
                shown={items.map(({ review_id }) => review_id)}
                labels={labels}
              />
            )}
          </div>
        </div>
      )}
    </section>
  );
}

export type ReviewListLabels = ReturnType<typeof useReviewListLabels>;

function useReviewListLabels() {
  const t = useTranslations("reviews");
  return {
    more: t("more"),
    network: t("more_failed"),
    rating: t("rating", { rating: "%s" }),
    verified: t("verified"),
    demo: t("demo"),
    reply: t("reply_of", { merchant: "%s" }),
    report: t("report"),
    locale: useLocale(),
  };
}

/** The rating summary beside the product's name, linked to the reviews. Renders nothing without reviews. */
export function RatingLine({ summary }: Pick<ReviewList, "summary">) {
  const t = useTranslations("reviews");
  const { average, count } = summary;
  if (average === null) return null;
  return (
    <a href="#reviews" className="inline-flex min-h-11 items-center gap-2 text-quiet hover:text-ink">
      <Stars rating={average} label={t("rating", { rating: average })} />
      <span className="text-13">{t("count", { count })}</span>
    </a>
  );
}

const STARS = [5, 4, 3, 2, 1] as const;

function Summary({ summary }: { summary: ReviewList["summary"] }) {
  const t = useTranslations("reviews");
  const average = summary.average ?? 0;
  return (
    <div className="flex flex-col gap-3">
      <p className="flex items-center gap-3">
        <span className="figures text-28 font-semibold">{average.toFixed(1)}</span>
        <span>
          <Stars rating={average} label={t("rating", { rating: average })} />
          <span className="block text-13 text-quiet">{t("count", { count: summary.count })}</span>
        </span>
      </p>
      {summary.demo > 0 && <p className="text-13 text-quiet">{t("demo_part")}</p>}
      <ol className="review-counts figures text-13 text-quiet">
        {STARS.map((stars) => ({ stars, count: summary.stars[stars - 1] ?? 0 })).map(({ stars, count }) => (
          <li
            key={stars}
            style={{ "--share": `${Math.round((100 * count) / summary.count)}%` } as CSSProperties}
          >
            <span className="sr-only">{t("stars", { stars, count })}</span>
            <span aria-hidden="true">{stars}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
