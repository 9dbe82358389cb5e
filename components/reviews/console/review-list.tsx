"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useMemo, useState } from "react";
import type { Column } from "@/components/console/data-table";
import type { Filter, FilterValues } from "@/components/console/filter-bar";
import { FormDialog } from "@/components/console/form-dialog";
import { ConsoleLink } from "@/components/console/link";
import { ListScreen } from "@/components/console/list-screen";
import { Pill } from "@/components/console/pill";
import { ShortTime } from "@/components/console/time";
import { useStartAgain } from "@/components/console/use-start-again";
import { Button } from "@/components/ui/button";
import { TextArea } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import { REPLY_NOTE_MAX } from "@/lib/merchants/replies/rules";
import { api } from "@/lib/platform/api/client";
import type { ConsoleReview, ConsoleReviewList, ReviewModerated } from "@/lib/reviews/console/contract";
import { HIDE_REASON_MAX, RATING_MAX, REPLY_STATES, REVIEW_STATES, reviewRule } from "@/lib/reviews/rules";

const PATH = "/console/reviews";
const RATINGS = Array.from({ length: RATING_MAX }, (_, i) => RATING_MAX - i);

/** Reviews for moderation, the newest first. */
export function ConsoleReviews({
  list,
  values,
  tools,
}: {
  list: ConsoleReviewList;
  values: FilterValues;
  tools: ReactNode;
}) {
  const t = useTranslations("console.reviews");
  const [hiding, setHiding] = useState<ConsoleReview>();
  const [refusing, setRefusing] = useState<ConsoleReview>();
  const filters: Filter[] = [
    {
      name: "state",
      label: t("state"),
      kind: "choice",
      first: true,
      options: REVIEW_STATES.map((value) => ({ value, label: t(`states.${value}`) })),
    },
    {
      name: "rating",
      label: t("rating"),
      kind: "choice",
      first: true,
      options: RATINGS.map((rating) => ({ value: String(rating), label: t("stars", { count: rating }) })),
    },
    {
      name: "reply",
      label: t("reply"),
      kind: "choice",
      first: true,
      options: REPLY_STATES.map((value) => ({ value, label: t(`reply_states.${value}`) })),
    },
    { name: "email", label: t("author_email"), kind: "text", first: true },
    { name: "product_id", label: t("product_id"), kind: "number" },
    { name: "from", label: t("from"), kind: "date" },
    { name: "to", label: t("to"), kind: "date" },
  ];
  const columns = useMemo(
    (): Column<ConsoleReview>[] => [
      {
        id: "product",
        header: t("product"),
        main: true,
        cell: ({ product_id, product_name }) => (
          <ConsoleLink href={`${PATH}?product_id=${product_id}`} className="text-link">
            {product_name}
          </ConsoleLink>
        ),
      },
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
        cell: (review) => (
          <div className="max-w-text min-[900px]:min-w-60">
            <p lang={review.locale} className="font-medium wrap-anywhere">
              {review.title}
            </p>
            <p lang={review.locale} className="whitespace-pre-wrap wrap-anywhere">
              {review.content}
            </p>
            {review.hidden_reason && (
              <p className="pt-1 text-13 text-quiet">
                <HiddenReason reason={review.hidden_reason} />
              </p>
            )}
            {review.reply && <Reply review={review} onRefuse={setRefusing} />}
          </div>
        ),
      },
      {
        id: "author",
        header: t("author"),
        cell: ({ customer_id, email }) => (
          <ConsoleLink href={`/console/customers/${customer_id}`} className="text-link wrap-anywhere">
            {email}
          </ConsoleLink>
        ),
      },
      { id: "written", header: t("written"), cell: ({ created_at }) => <ShortTime at={created_at} /> },
      {
        id: "state",
        header: t("state"),
        cell: ({ state, demo }) => (
          <span className="flex flex-wrap gap-1.5">
            <Pill tone={state === "hidden" ? "bad" : "good"}>{t(`states.${state}`)}</Pill>
            {demo && <Pill>{t("demo")}</Pill>}
          </span>
        ),
      },
      {
        id: "actions",
        header: t("actions"),
        main: true,
        oneLine: true,
        cell: (review) =>
          review.state === "published" ? (
            <Button onClick={() => setHiding(review)}>{t("hide")}</Button>
          ) : (
            <ShowButton review={review} />
          ),
      },
    ],
    [t],
  );
  return (
    <>
      <ListScreen
        name="reviews"
        title={t("title")}
        list={list}
        values={values}
        filters={filters}
        columns={columns}
        rowId={({ review_id }) => review_id}
        rowName={({ product_name, title }) => `${product_name}: ${title}`}
        tools={tools}
        empty={t("empty")}
      />
      {hiding && <HideDialog review={hiding} onClose={() => setHiding(undefined)} />}
      {refusing && <RefuseReplyDialog review={refusing} onClose={() => setRefusing(undefined)} />}
    </>
  );
}

function ShowButton({ review }: { review: ConsoleReview }) {
  const t = useTranslations("console.reviews");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const { pending, run } = useCall(network);
  const startAgain = useStartAgain();
  async function show() {
    const path = `/admin/reviews/${review.review_id}/show`;
    const result = await run((options) =>
      api.post<ReviewModerated>(path, { version: review.version }, options),
    );
    if (startAgain(result)) return;
    showToast(result.ok ? t("shown_done") : result.message, result.ok ? "good" : "bad");
    if (result.ok) router.refresh();
  }
  return (
    <Button pending={pending} onClick={() => void show()}>
      {t("show")}
    </Button>
  );
}

/** Asks for the reason, because other staff see it. */
function HideDialog({ review, onClose }: { review: ConsoleReview; onClose: () => void }) {
  const t = useTranslations("console.reviews");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const { pending, problem, run } = useCall(network);
  const startAgain = useStartAgain();
  async function hide(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get("reason") ?? "").trim();
    const path = `/admin/reviews/${review.review_id}/hide`;
    const body = { reason, version: review.version };
    const result = await run((options) => api.post<ReviewModerated>(path, body, options));
    if (startAgain(result, onClose) || !result.ok) return;
    onClose();
    showToast(t("hidden_done"), "good");
    router.refresh();
  }
  return (
    <FormDialog
      title={t("hide_title")}
      submit={t("hide")}
      danger
      pending={pending}
      problem={problem}
      onSubmit={hide}
      onClose={onClose}
    >
      <p className="font-medium wrap-anywhere">{review.title}</p>
      <p className="text-quiet">{t("hide_text")}</p>
      <TextArea
        name="reason"
        label={t("reason")}
        hint={t("reason_hint")}
        required
        maxLength={HIDE_REASON_MAX}
        rows={2}
      />
    </FormDialog>
  );
}

/** The merchant's reply with what staff may do about it. */
function Reply({ review, onRefuse }: { review: ConsoleReview; onRefuse: (review: ConsoleReview) => void }) {
  const t = useTranslations("console.reviews");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const { pending, run } = useCall(network);
  const startAgain = useStartAgain();
  const { reply } = review;
  if (!reply) return null;
  const { version } = reply;
  async function show() {
    const path = `/admin/reviews/${review.review_id}/reply/show`;
    const result = await run((options) => api.post(path, { version }, options));
    if (startAgain(result)) return;
    showToast(result.ok ? t("reply_shown") : result.message, result.ok ? "good" : "bad");
    if (result.ok) router.refresh();
  }
  return (
    <div className="mt-2 flex flex-col items-start gap-1.5 border-l-2 border-hairline pl-3">
      <p className="text-13 text-quiet">{t("reply_of", { merchant: reply.merchant })}</p>
      <p lang={reply.locale} className="whitespace-pre-wrap wrap-anywhere">
        {reply.text}
      </p>
      <Pill tone={reply.state === "shown" ? "good" : reply.state === "waiting" ? "warn" : "bad"}>
        {t(`reply_states.${reply.state}`)}
      </Pill>
      {reply.note && <p className="text-13 text-quiet">{t("reply_refused_because", { note: reply.note })}</p>}
      <span className="flex flex-wrap gap-2">
        {reply.state !== "shown" && (
          <Button pending={pending} onClick={() => void show()}>
            {t("reply_show")}
          </Button>
        )}
        {reply.state !== "refused" && <Button onClick={() => onRefuse(review)}>{t("reply_refuse")}</Button>}
      </span>
    </div>
  );
}

/** Asks why, because the merchant reads it. */
function RefuseReplyDialog({ review, onClose }: { review: ConsoleReview; onClose: () => void }) {
  const t = useTranslations("console.reviews");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const { pending, problem, run } = useCall(network);
  const startAgain = useStartAgain();
  async function refuse(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const note = String(new FormData(event.currentTarget).get("note") ?? "").trim();
    const path = `/admin/reviews/${review.review_id}/reply/refuse`;
    const body = { note, version: review.reply?.version };
    const result = await run((options) => api.post(path, body, options));
    if (startAgain(result, onClose) || !result.ok) return;
    onClose();
    showToast(t("reply_refused"), "good");
    router.refresh();
  }
  return (
    <FormDialog
      title={t("reply_refuse_title")}
      submit={t("reply_refuse")}
      danger
      pending={pending}
      problem={problem}
      onSubmit={refuse}
      onClose={onClose}
    >
      <p className="wrap-anywhere">{review.reply?.text}</p>
      <TextArea
        name="note"
        label={t("reply_note")}
        hint={t("reply_note_hint")}
        required
        maxLength={REPLY_NOTE_MAX}
        rows={2}
      />
    </FormDialog>
  );
}

/** Why a review is hidden: in the words of staff, or by a rule. */
function HiddenReason({ reason }: { reason: string }) {
  const t = useTranslations("console.reviews");
  const rule = reviewRule(reason);
  return t("hidden_because", { reason: rule ? t(`hidden_by_rule.${rule}`) : reason });
}
