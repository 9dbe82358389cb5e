import { Link } from "@/components/ui/link";
import { LocalTimes } from "@/components/ui/local-times";
import { Stars } from "@/components/ui/stars";
import { formatDate } from "@/lib/platform/format";
import { HTML_LANG, type Locale } from "@/lib/platform/i18n/locales";
import type { ReviewView } from "@/lib/reviews/contract";

type Props = {
  review: ReviewView;
  /** The page's language. */
  locale: Locale;
  /** `rating` and `reply` contain %s. */
  labels: { rating: string; verified: string; demo: string; reply: string; report: string };
};

/** A review in a list. */
export function ReviewItem({ review, locale, labels }: Props) {
  const lang = review.language === locale ? undefined : HTML_LANG[review.language];
  return (
    <li className="review">
      <Stars rating={review.rating} label={labels.rating.replace("%s", String(review.rating))} />
      <h3 lang={lang}>{review.title}</h3>
      <p lang={lang}>{review.content}</p>
      <p className="text-13 text-quiet">
        {review.author} · <ReviewDate at={review.created_at} locale={locale} /> ·{" "}
        {review.demo ? <span className="mark ml-0!">{labels.demo}</span> : labels.verified} ·{" "}
        <Link href={`/report?review=${review.review_id}`} className="underline">
          {labels.report}
        </Link>
      </p>
      {review.reply && <Reply reply={review.reply} locale={locale} label={labels.reply} />}
    </li>
  );
}

/** The merchant's public answer, under its review. */
function Reply({
  reply,
  locale,
  label,
}: {
  reply: NonNullable<ReviewView["reply"]>;
  locale: Locale;
  label: string;
}) {
  const lang = reply.language === locale ? undefined : HTML_LANG[reply.language];
  return (
    <div className="mt-3 border-l-2 border-hairline pl-4">
      <p className="text-13 text-quiet">
        {label.replace("%s", reply.merchant)} · <ReviewDate at={reply.created_at} locale={locale} />
      </p>
      <p className="whitespace-pre-line [overflow-wrap:anywhere]" lang={lang}>
        {reply.text}
      </p>
    </div>
  );
}

const ReviewDate = ({ at, locale }: { at: string; locale: Locale }) => (
  <time dateTime={at}>
    <LocalTimes of={[at]}>{formatDate(at, locale)}</LocalTimes>
  </time>
);
