import { Stars } from "@/components/ui/stars";
import { formatDate } from "@/lib/platform/format";
import { HTML_LANG, type Locale } from "@/lib/platform/i18n/locales";
import type { ReviewView } from "@/lib/reviews/contract";

type Props = {
  review: ReviewView;
  /** The page's language. */
  locale: Locale;
  /** `rating` contains %s. */
  labels: { rating: string; verified: string; demo: string };
  className?: string;
};

/** A review in a list. */
export function ReviewItem({ review, locale, labels, className = "" }: Props) {
  const lang = review.language === locale ? undefined : HTML_LANG[review.language];
  return (
    <li className={`border-t border-hairline py-5 ${className}`}>
      <Stars rating={review.rating} label={labels.rating.replace("%s", String(review.rating))} />
      <h3 className="pt-1 text-15 font-semibold" lang={lang}>
        {review.title}
      </h3>
      <p className="pt-1 whitespace-pre-line [overflow-wrap:anywhere]" lang={lang}>
        {review.content}
      </p>
      <p className="pt-1.5 text-13 text-quiet">
        {review.author} · <time dateTime={review.created_at}>{formatDate(review.created_at, locale)}</time> ·{" "}
        {review.demo ? <span className="mark ml-0!">{labels.demo}</span> : labels.verified}
      </p>
    </li>
  );
}
