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

/** The reviews after the first page of them, a page at each press. */
export function MoreReviews({ productId, total, words }: { productId: number; total: number; words: Words }) {
  const [items, setItems] = useState<ReviewView[]>([]);
  const [pending, setPending] = useState(false);
  const left = total - REVIEWS_SHOWN - items.length;

  const load = async () => {
    setPending(true);
    const page = 2 + Math.floor(items.length / REVIEWS_SHOWN);
    const query = { product_id: productId, page, size: REVIEWS_SHOWN };
    const answer = await api.get<ReviewList>("/comment/list", query, { networkMessage: words.network });
    if (answer.ok) setItems([...items, ...answer.data.items]);
    else showToast(answer.message, "bad");
    setPending(false);
  };

  return (
    <>
      <ul aria-live="polite">
        {items.map((review) => (
          <MoreReview key={review.review_id} review={review} words={words} />
        ))}
      </ul>
      {left > 0 && (
        <Button pending={pending} onClick={load}>
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
