"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Stars } from "@/components/ui/stars";
import { showToast } from "@/components/ui/toast";
import { api } from "@/lib/api-client";
import { formatDate } from "@/lib/format";
import { HTML_LANG } from "@/lib/i18n";
import type { ReviewList, ReviewView } from "@/lib/reviews/contract";
import { REVIEWS_SHOWN } from "@/lib/reviews/rules";

/** `rating` holds %s; `lang` is the page's. */
type Words = { more: string; network: string; rating: string; verified: string; lang: string };

/** The reviews after those that the page came with, a page at each press. */
export function MoreReviews({
  productId,
  shown,
  total,
  words,
}: {
  productId: number;
  /** ids of the reviews that stand above */
  shown: readonly string[];
  total: number;
  words: Words;
}) {
  const [items, setItems] = useState<ReviewView[]>([]);
  const [next, setNext] = useState(2);
  const [last, setLast] = useState(Math.ceil(total / REVIEWS_SHOWN));
  const [pending, setPending] = useState(false);

  const load = async () => {
    setPending(true);
    const query = { product_id: productId, page: next, size: REVIEWS_SHOWN };
    const answer = await api.get<ReviewList>("/comment/list", query, { networkMessage: words.network });
    setPending(false);
    if (!answer.ok) return showToast(answer.message, "bad");
    // A review that was written meanwhile moves the others on by one.
    const known = new Set([...shown, ...items.map(({ review_id }) => review_id)]);
    setItems([...items, ...answer.data.items.filter(({ review_id }) => !known.has(review_id))]);
    setNext(next + 1);
    setLast(Math.ceil(answer.data.total / REVIEWS_SHOWN));
  };

  return (
    <>
      <ul aria-live="polite">
        {items.map((review) => (
          <MoreReview key={review.review_id} review={review} words={words} />
        ))}
      </ul>
      {next <= last && (
        <Button pending={pending} onClick={load} className="mt-1">
          {words.more}
        </Button>
      )}
    </>
  );
}

function MoreReview({ review, words }: { review: ReviewView; words: Words }) {
  const lang = HTML_LANG[review.language];
  return (
    <li className="border-t border-hairline py-5">
      <Stars rating={review.rating} label={words.rating.replace("%s", String(review.rating))} />
      <h3 className="pt-1 text-15 font-semibold" lang={lang}>
        {review.title}
      </h3>
      <p className="pt-1 whitespace-pre-line [overflow-wrap:anywhere]" lang={lang}>
        {review.content}
      </p>
      <p className="pt-1.5 text-13 text-quiet">
        {`${review.author} · ${formatDate(review.created_at, words.lang.slice(0, 2))} · ${words.verified}`}
      </p>
    </li>
  );
}
