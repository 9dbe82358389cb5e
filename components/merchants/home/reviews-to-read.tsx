"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Rating } from "@/components/console/rating";
import { ShortDate } from "@/components/console/time";
import { mayReplyTo, ReplyDialog } from "@/components/merchants/replies/reply-dialog";
import { Button } from "@/components/ui/button";
import type { MerchantReview } from "@/lib/merchants/replies/contract";

type Props = { reviews: readonly MerchantReview[]; mayReply: boolean };

/** The newest reviews, with the reply in place. */
export function ReviewsToRead({ reviews, mayReply }: Props) {
  const t = useTranslations("console.merchant_reviews");
  const [open, setOpen] = useState<MerchantReview>();
  return (
    <>
      {reviews.length === 0 && <p className="text-quiet">{t("empty")}</p>}
      <ul className="divide-y divide-hairline overflow-hidden rounded-control border-hairline bg-raised not-empty:border">
        {reviews.map((review) => (
          <li key={review.review_id} className="flex items-center gap-4 px-4 py-2.5">
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap gap-x-3 text-13">
                <Rating value={review.rating} />
                <span className="min-w-0 wrap-anywhere">{review.product_name}</span>
                <span className="text-quiet">
                  <ShortDate at={review.created_at} />
                </span>
              </p>
              <p lang={review.language} className="truncate" title={review.content}>
                <span className="font-medium">{review.title}</span> {review.content}
              </p>
            </div>
            {mayReply && mayReplyTo(review) && (
              <Button onClick={() => setOpen(review)}>
                {t("write")} <span className="sr-only">{review.title}</span>
              </Button>
            )}
            {review.reply && review.reply.state !== "refused" && (
              <span className="text-13 text-quiet">{t(`states.${review.reply.state}`)}</span>
            )}
          </li>
        ))}
      </ul>
      {open && <ReplyDialog review={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}
