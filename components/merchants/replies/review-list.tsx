"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useMemo, useState } from "react";
import type { Column } from "@/components/console/data-table";
import type { Filter, FilterValues } from "@/components/console/filter-bar";
import { FormDialog } from "@/components/console/form-dialog";
import { ListScreen } from "@/components/console/list-screen";
import { Pill, type Tone } from "@/components/console/pill";
import { ShortTime } from "@/components/console/time";
import { useAction } from "@/components/merchants/portal/use-action";
import { Button } from "@/components/ui/button";
import { TextArea } from "@/components/ui/text-input";
import type { MerchantReview, MerchantReviewList, ReplyView } from "@/lib/merchants/replies/contract";
import { REPLY_MAX } from "@/lib/merchants/replies/rules";
import { api } from "@/lib/platform/api/client";
import { RATING_MAX } from "@/lib/reviews/rules";

type Props = { home: string; list: MerchantReviewList; values: FilterValues; mayReply: boolean };
type ReplyState = NonNullable<MerchantReview["reply"]>["state"];

const TONES: Record<ReplyState, Tone> = { waiting: "warn", shown: "good", refused: "bad" };
const RATINGS = Array.from({ length: RATING_MAX }, (_, i) => RATING_MAX - i);

/** The reviews of a merchant's products, the newest first, with its replies. */
export function MerchantReviews({ home, list, values, mayReply }: Props) {
  const t = useTranslations("console.merchant_reviews");
  const [replying, setReplying] = useState<MerchantReview>();
  const filters: Filter[] = [
    {
      name: "replied",
      label: t("reply"),
      kind: "choice",
      first: true,
      options: [
        { value: "false", label: t("without_reply") },
        { value: "true", label: t("with_reply") },
      ],
    },
    {
      name: "rating",
      label: t("rating"),
      kind: "choice",
      first: true,
      options: RATINGS.map((rating) => ({ value: String(rating), label: t("stars", { count: rating }) })),
    },
    { name: "product_id", label: t("product_id"), kind: "number" },
  ];
  const columns = useMemo(() => reviewColumns(t, mayReply ? setReplying : null), [t, mayReply]);
  return (
    <>
      <ListScreen
        name="merchant-reviews"
        path={`${home}/reviews`}
        title={t("title")}
        lead={t("lead")}
        list={list}
        values={values}
        filters={filters}
        columns={columns}
        rowId={({ review_id }) => review_id}
        rowName={({ product_name, title }) => `${product_name}: ${title}`}
        empty={t("empty")}
      />
      {replying && <ReplyDialog review={replying} onClose={() => setReplying(undefined)} />}
    </>
  );
}

type Texts = ReturnType<typeof useTranslations<"console.merchant_reviews">>;

const reviewColumns = (
  t: Texts,
  onReply: ((review: MerchantReview) => void) | null,
): Column<MerchantReview>[] => [
  { id: "product", header: t("product"), main: true, cell: ({ product_name }) => product_name },
  {
    id: "rating",
    header: t("rating"),
    oneLine: true,
    cell: ({ rating }) => (
      <>
        <span aria-hidden="true" className="text-warn">
          {"★".repeat(rating)}
          <span className="text-quiet">{"☆".repeat(RATING_MAX - rating)}</span>
        </span>
        <span className="sr-only">{t("stars", { count: rating })}</span>
      </>
    ),
  },
  {
    id: "text",
    header: t("text"),
    cell: ({ title, content, language, demo }) => (
      <div className="max-w-text min-[900px]:min-w-60">
        <p lang={language} className="font-medium wrap-anywhere">
          {title} {demo && <Pill>{t("demo")}</Pill>}
        </p>
        <p lang={language} className="whitespace-pre-wrap wrap-anywhere">
          {content}
        </p>
      </div>
    ),
  },
  { id: "written", header: t("written"), cell: ({ created_at }) => <ShortTime at={created_at} /> },
  {
    id: "reply",
    header: t("reply"),
    main: true,
    cell: (review) => (
      <div className="flex max-w-text flex-col items-start gap-1.5 min-[900px]:min-w-52">
        {review.reply && (
          <>
            <Pill tone={TONES[review.reply.state]}>{t(`states.${review.reply.state}`)}</Pill>
            <p lang={review.reply.language} className="whitespace-pre-wrap wrap-anywhere">
              {review.reply.text}
            </p>
            {review.reply.note && (
              <p className="text-13 text-quiet">{t("refused_because", { note: review.reply.note })}</p>
            )}
          </>
        )}
        {onReply && (!review.reply || review.reply.state === "refused") && (
          <Button onClick={() => onReply(review)}>{t(review.reply ? "write_again" : "write")}</Button>
        )}
      </div>
    ),
  },
];

function ReplyDialog({ review, onClose }: { review: MerchantReview; onClose: () => void }) {
  const t = useTranslations("console.merchant_reviews");
  const { pending, problem, act } = useAction();
  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("text") ?? "").trim();
    const path = `/merchant/reviews/${review.review_id}/reply`;
    const result = await act<ReplyView>((options) => api.post(path, { text }, options), t("sent"));
    if (result.ok) onClose();
  }
  return (
    <FormDialog
      title={t("write")}
      submit={t("send")}
      pending={pending}
      problem={problem}
      onSubmit={send}
      onClose={onClose}
    >
      <blockquote lang={review.language} className="border-l-2 border-hairline pl-3 wrap-anywhere">
        <p className="font-medium">{review.title}</p>
        <p className="line-clamp-4">{review.content}</p>
      </blockquote>
      <TextArea
        name="text"
        label={t("your_reply")}
        hint={t("your_reply_hint")}
        required
        maxLength={REPLY_MAX}
        rows={5}
        defaultValue={review.reply?.text}
      />
    </FormDialog>
  );
}
