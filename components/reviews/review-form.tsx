"use client";

import { useState } from "react";
import { type ReadField, useForm } from "@/components/accounts/use-form";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { FieldError } from "@/components/ui/field";
import { ErrorNotice } from "@/components/ui/notice";
import { Star } from "@/components/ui/stars";
import { TextArea, TextInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { CONTENT_MAX, TITLE_MAX } from "@/lib/reviews/rules";
import type { ReviewLabels } from "./use-review-labels";

type ReviewTarget = { productId: number; orderId: string; labels: ReviewLabels };

/** Reviews one product of an order (docs/product.md#42-order-status). A failed submission keeps the input. */
export function WriteReview({ name, lang, ...target }: ReviewTarget & { name: string; lang?: string }) {
  const { labels } = target;
  const [open, setOpen] = useState(false);
  const [done, setDone] = useState(false);
  if (done) return <p className="text-13 text-quiet">{labels.written}</p>;
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)} className="-ml-3">
        {labels.write}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={labels.title} closeLabel={labels.close}>
        <p className="-mt-2 pb-4 text-quiet" lang={lang}>
          {name}
        </p>
        <ReviewForm
          {...target}
          onDone={() => {
            setOpen(false);
            setDone(true);
            showToast(labels.thanks, "good");
          }}
        />
      </Dialog>
    </>
  );
}

type Review = { rating: number; title: string; content: string };

function validateReview({ rating, title, content }: Review, labels: ReviewLabels) {
  return {
    ...(rating < 1 && { rating: labels.ratingMissing }),
    ...(title.trim() === "" && { title: labels.titleMissing }),
    ...(content.trim() === "" && { content: labels.contentMissing }),
  };
}

function ReviewForm({ productId, orderId, labels, onDone }: ReviewTarget & { onDone: () => void }) {
  const { errors, show, showError, problem, pending, run, post, formProps } = useForm(labels.network);

  async function send(review: Review) {
    const result = await post("/comment/create", { product_id: productId, order_id: orderId, ...review });
    if (result.ok) onDone();
    else showError(result);
  }

  function submit(text: ReadField) {
    const review = { rating: Number(text("rating")), title: text("title"), content: text("content") };
    const fieldErrors = validateReview(review, labels);
    if (Object.keys(fieldErrors).length > 0) show(fieldErrors);
    else void run("send", () => send(review));
  }

  return (
    <form {...formProps(submit)} className="flex flex-col gap-5">
      <RatingChoice labels={labels} error={errors.rating} />
      <TextInput name="title" label={labels.headline} error={errors.title} maxLength={TITLE_MAX} required />
      <TextArea
        name="content"
        label={labels.content}
        hint={labels.hint}
        error={errors.content}
        maxLength={CONTENT_MAX}
        required
      />
      <ErrorNotice>{problem}</ErrorNotice>
      <Button type="submit" look="primary" large block pending={pending !== undefined}>
        {labels.submit}
      </Button>
    </form>
  );
}

/** Five radio buttons shown as stars. The arrow keys move between them. */
function RatingChoice({ labels, error }: { labels: ReviewLabels; error?: string }) {
  const [rating, setRating] = useState(0);
  return (
    <fieldset aria-describedby={error ? "rating-error" : undefined}>
      <legend className="pb-1.5 font-medium">{labels.rating}</legend>
      <div className="-ml-2 flex">
        {labels.stars.map((label, i) => (
          <label
            key={label}
            className="hit grid cursor-pointer place-items-center rounded-control has-focus-visible:outline-2"
          >
            <input
              type="radio"
              name="rating"
              value={i + 1}
              className="sr-only"
              aria-invalid={error ? true : undefined}
              onChange={() => setRating(i + 1)}
            />
            <Star filled={i < rating ? 1 : 0} size={28} />
            <span className="sr-only">{label}</span>
          </label>
        ))}
      </div>
      {error && <FieldError id="rating-error">{error}</FieldError>}
    </fieldset>
  );
}
