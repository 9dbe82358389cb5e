"use client";

import { type FormEvent, useRef, useState } from "react";
import { useCalls } from "@/components/accounts/use-calls";
import { useFieldErrors } from "@/components/accounts/use-field-errors";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { FieldError } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Star } from "@/components/ui/stars";
import { TextArea, TextInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { CONTENT_MAX, TITLE_MAX } from "@/lib/reviews/rules";

export type ReviewWords = {
  write: string;
  written: string;
  title: string;
  rating: string;
  stars: readonly string[];
  headline: string;
  content: string;
  hint: string;
  submit: string;
  close: string;
  thanks: string;
  ratingMissing: string;
  titleMissing: string;
  contentMissing: string;
  network: string;
};

/** Writes a review of one product of an order (docs/product.md#42-order-status). What was typed stays whatever happens. */
export function WriteReview({
  productId,
  name,
  lang,
  orderId,
  words,
}: {
  productId: number;
  name: string;
  /** of the name, where it is not the page's */
  lang?: string;
  orderId: string;
  words: ReviewWords;
}) {
  const [open, setOpen] = useState(false);
  const [done, setDone] = useState(false);
  if (done) return <p className="text-13 text-quiet">{words.written}</p>;
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)} className="-ml-3">
        {words.write}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={words.title} closeLabel={words.close}>
        <p className="-mt-2 pb-4 text-quiet" lang={lang}>
          {name}
        </p>
        <ReviewForm
          {...{ productId, orderId, words }}
          onDone={() => {
            setOpen(false);
            setDone(true);
            showToast(words.thanks, "good");
          }}
        />
      </Dialog>
    </>
  );
}

type Review = { rating: number; title: string; content: string };

function faultsOf({ rating, title, content }: Review, words: ReviewWords) {
  return {
    ...(rating < 1 && { rating: words.ratingMissing }),
    ...(title.trim() === "" && { title: words.titleMissing }),
    ...(content.trim() === "" && { content: words.contentMissing }),
  };
}

function ReviewForm({
  productId,
  orderId,
  words,
  onDone,
}: {
  productId: number;
  orderId: string;
  words: ReviewWords;
  onDone: () => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const { errors, show, forget } = useFieldErrors(form);
  const { pending, run, post } = useCalls(words.network);
  const [problem, setProblem] = useState("");

  async function send(review: Review) {
    setProblem("");
    const answer = await post("/comment/create", { product_id: productId, order_id: orderId, ...review });
    if (answer.ok) onDone();
    else if (answer.errors.length > 0)
      show(Object.fromEntries(answer.errors.map(({ path, message }) => [path, message])));
    else setProblem(answer.message);
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "");
    const review = { rating: Number(text("rating")), title: text("title"), content: text("content") };
    const faults = faultsOf(review, words);
    if (Object.keys(faults).length > 0) show(faults);
    else void run("send", () => send(review));
  }

  return (
    <form ref={form} noValidate onSubmit={submit} onChange={forget} className="flex flex-col gap-5">
      <RatingChoice words={words} error={errors.rating} />
      <TextInput name="title" label={words.headline} error={errors.title} maxLength={TITLE_MAX} required />
      <TextArea
        name="content"
        label={words.content}
        hint={words.hint}
        error={errors.content}
        maxLength={CONTENT_MAX}
        required
      />
      {problem && (
        <Notice kind="bad" live>
          {problem}
        </Notice>
      )}
      <Button type="submit" look="primary" large block pending={pending !== undefined}>
        {words.submit}
      </Button>
    </form>
  );
}

/** Five radio buttons that look like stars; arrow keys move between them. */
function RatingChoice({ words, error }: { words: ReviewWords; error?: string }) {
  const [rating, setRating] = useState(0);
  return (
    <fieldset aria-describedby={error ? "rating-error" : undefined}>
      <legend className="pb-1.5 font-medium">{words.rating}</legend>
      <div className="-ml-2 flex">
        {words.stars.map((label, i) => (
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
