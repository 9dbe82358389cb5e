"use client";

import { useTranslations } from "next-intl";
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

type ReviewTarget = { productId: number; orderId: string };

/** Reviews one product of an order (docs/product.md#42-order-status). A failed submission keeps the input. */
export function WriteReview({ name, lang, ...target }: ReviewTarget & { name: string; lang?: string }) {
  const t = useTranslations("reviews");
  const [open, setOpen] = useState(false);
  const [done, setDone] = useState(false);
  if (done) return <p className="text-13 text-quiet">{t("written")}</p>;
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)} className="-ml-3">
        {t("write")}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={t("form_title")} closeLabel={t("close")}>
        <p className="-mt-2 pb-4 text-quiet" lang={lang}>
          {name}
        </p>
        <ReviewForm
          {...target}
          onDone={() => {
            setOpen(false);
            setDone(true);
            showToast(t("thanks"), "good");
          }}
        />
      </Dialog>
    </>
  );
}

function ReviewForm({ productId, orderId, onDone }: ReviewTarget & { onDone: () => void }) {
  const t = useTranslations("reviews");
  const messages = useTranslations("errors");
  const { errors, show, showError, problem, pending, run, post, formProps } = useForm(messages("network"));

  function submit(text: ReadField) {
    const review = { rating: Number(text("rating")), title: text("title"), content: text("content") };
    const fieldErrors = {
      ...(review.rating < 1 && { rating: messages("rating_missing") }),
      ...(review.title.trim() === "" && { title: messages("review_title_missing") }),
      ...(review.content.trim() === "" && { content: messages("review_content_missing") }),
    };
    if (Object.keys(fieldErrors).length > 0) return show(fieldErrors);
    void run("send", async () => {
      const result = await post("/comment/create", { product_id: productId, order_id: orderId, ...review });
      if (result.ok) onDone();
      else showError(result);
    });
  }

  return (
    <form {...formProps(submit)} className="flex flex-col gap-5">
      <RatingChoice error={errors.rating} />
      <TextInput
        name="title"
        label={t("form_headline")}
        error={errors.title}
        maxLength={TITLE_MAX}
        required
      />
      <TextArea
        name="content"
        label={t("form_content")}
        hint={t("form_hint")}
        error={errors.content}
        maxLength={CONTENT_MAX}
        required
      />
      <ErrorNotice>{problem}</ErrorNotice>
      <Button type="submit" look="primary" large block pending={pending !== undefined}>
        {t("submit")}
      </Button>
    </form>
  );
}

/** Five radio buttons shown as stars. The arrow keys move between them. */
function RatingChoice({ error }: { error?: string }) {
  const t = useTranslations("reviews");
  const [rating, setRating] = useState(0);
  return (
    <fieldset aria-describedby={error ? "rating-error" : undefined}>
      <legend className="pb-1.5 font-medium">{t("form_rating")}</legend>
      <div className="-ml-2 flex">
        {[1, 2, 3, 4, 5].map((star) => (
          <label
            key={star}
            className="hit grid cursor-pointer place-items-center rounded-control has-focus-visible:outline-2"
          >
            <input
              type="radio"
              name="rating"
              value={star}
              className="sr-only"
              aria-invalid={error ? true : undefined}
              onChange={() => setRating(star)}
            />
            <Star filled={star <= rating ? 1 : 0} size={28} />
            <span className="sr-only">{t("rating", { rating: star })}</span>
          </label>
        ))}
      </div>
      {error && <FieldError id="rating-error">{error}</FieldError>}
    </fieldset>
  );
}
