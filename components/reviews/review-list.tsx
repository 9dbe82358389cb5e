import { useLocale, useTranslations } from "next-intl";
import { Stars } from "@/components/ui/stars";
import { formatDate } from "@/lib/platform/format";
import { HTML_LANG } from "@/lib/platform/i18n/locales";
import type { ReviewList, ReviewView } from "@/lib/reviews/contract";
import { REVIEWS_SHOWN } from "@/lib/reviews/rules";
import { MoreReviews } from "./more-reviews";

/** The reviews of a product: the summary, the newest reviews and a button for more. */
export function Reviews({ productId, reviews }: { productId: number; reviews: ReviewList }) {
  const t = useTranslations("reviews");
  const locale = useLocale();
  const { summary, items } = reviews;
  return (
    <section aria-labelledby="reviews" className="@container">
      <h2 id="reviews" className="pb-3 text-21">
        {t("title")}
      </h2>
      {summary.average === null ? (
        <p className="text-quiet">{t("none")}</p>
      ) : (
        <div className="grid grid-cols-[15rem_minmax(0,1fr)] items-start gap-x-16 gap-y-4 @max-[48rem]:grid-cols-1">
          <Summary summary={summary} />
          <div className="max-w-text">
            <ul>
              {items.map((review) => (
                <Review key={review.review_id} review={review} />
              ))}
            </ul>
            {summary.count > REVIEWS_SHOWN && (
              <MoreReviews
                productId={productId}
                shown={items.map(({ review_id }) => review_id)}
                labels={{
                  more: t("more"),
                  network: t("more_failed"),
                  rating: t("rating", { rating: "%s" }),
                  verified: t("verified"),
                  lang: HTML_LANG[locale],
                }}
              />
            )}
          </div>
        </div>
      )}
    </section>
  );
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
      <ol className="text-13 text-quiet">
        {STARS.map((stars) => ({ stars, count: summary.stars[stars - 1] ?? 0 })).map(({ stars, count }) => (
          <li key={stars} className="flex items-center gap-2">
            <span className="sr-only">{t("stars", { stars, count })}</span>
            <span aria-hidden="true" className="figures w-3">
              {stars}
            </span>
            <span aria-hidden="true" className="h-1.5 flex-1 rounded-full bg-tint">
              <span
                className="block h-full rounded-full bg-ink"
                style={{ width: `${(100 * count) / summary.count}%` }}
              />
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Review({ review }: { review: ReviewView }) {
  const t = useTranslations("reviews");
  const locale = useLocale();
  const lang = review.language === locale ? undefined : HTML_LANG[review.language];
  return (
    <li className="border-t border-hairline py-5 @min-[48rem]:first:border-t-0 @min-[48rem]:first:pt-0">
      <Stars rating={review.rating} label={t("rating", { rating: review.rating })} />
      <h3 className="pt-1 text-15 font-semibold" lang={lang}>
        {review.title}
      </h3>
      <p className="pt-1 whitespace-pre-line [overflow-wrap:anywhere]" lang={lang}>
        {review.content}
      </p>
      <p className="pt-1.5 text-13 text-quiet">
        {review.author} · <time dateTime={review.created_at}>{formatDate(review.created_at, locale)}</time> ·{" "}
        {t("verified")}
      </p>
    </li>
  );
}
