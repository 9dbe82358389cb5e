"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { FormEvent, ReactNode } from "react";
import { FormDialog } from "@/components/console/form-dialog";
import { columnsOf, NOTHING } from "@/components/console/list/columns";
import { useStartAgain } from "@/components/console/use-start-again";
import { StaffList } from "@/components/staff/staff-list";
import { TextArea } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import { REPLY_NOTE_MAX } from "@/lib/merchants/replies/rules";
import { api } from "@/lib/platform/api/client";
import type { ConsoleReview, ConsoleReviewList } from "@/lib/reviews/console/contract";
import { HIDE_REASON_MAX, REVIEW_STATES, reviewRule } from "@/lib/reviews/rules";
import type { StaffListData } from "@/lib/staff/lists/contract";
import { REPLY_TONES, type ReplyState, reviewColumns } from "./review-columns";

const column = columnsOf<ConsoleReview>();

/** Reviews for moderation, the newest first. */
export function ConsoleReviews(data: StaffListData<ConsoleReviewList>) {
  const t = useTranslations("console.reviews");
  const moderate = useModeration();
  const stateName = (state: string) => t(`states.${state as (typeof REVIEW_STATES)[number]}`);
  const replyName = (state: string) => t(`reply_states.${state as ReplyState}`);
  const reasonOf = (reason: string) => {
    const rule = reviewRule(reason);
    return t("hidden_because", { reason: rule ? t(`hidden_by_rule.${rule}`) : reason });
  };
  const path = ({ review_id }: ConsoleReview) => `/admin/reviews/${review_id}`;
  return (
    <StaffList
      {...data}
      declared={{
        title: t("title"),
        empty: t("empty"),
        rowId: ({ review_id }) => review_id,
        rowName: ({ product_name, title }) => `${product_name}: ${title}`,
        texts: { main: "email", values: { state: stateName, reply: replyName } },
        views: [
          { id: "all", label: t("all"), filters: {} },
          { id: "reply", label: t("reply_waits"), filters: { reply: "waiting" } },
          ...REVIEW_STATES.map((state) => ({ id: state, label: stateName(state), filters: { state } })),
        ],
        columns: [
          column.link(
            "product",
            t("product"),
            ({ product_id, product_name }) => ({
              text: product_name,
              href: `/console/reviews?product_id=${product_id}`,
            }),
            { main: true, width: 170 },
          ),
          ...reviewColumns<ConsoleReview>({ rating: t("rating"), text: t("text") }, ({ locale }) => locale),
          column.text("hidden", t("reason"), ({ hidden_reason: why }) => why && reasonOf(why), {
            panel: true,
          }),
          column.customer("author", t("author"), (row) => row, { width: 150, minor: true }),
          column.time("written", t("written"), ({ created_at }) => created_at),
          column.state(
            "state",
            t("state"),
            ({ state, demo, reply }) => [
              { text: stateName(state), tone: state === "hidden" ? "bad" : "good" },
              reply && { text: `${t("reply")}: ${replyName(reply.state)}`, tone: REPLY_TONES[reply.state] },
              demo && { text: t("demo") },
            ],
            { width: 170 },
          ),
          column.cell(
            "reply",
            t("reply"),
            ({ reply }) =>
              reply ? (
                <>
                  <span className="block text-13 text-quiet">
                    {t("reply_of", { merchant: reply.merchant })}
                  </span>
                  <span lang={reply.locale} className="whitespace-pre-wrap">
                    {reply.text}
                  </span>
                  {reply.note && (
                    <span className="block text-13 text-quiet">
                      {t("reply_refused_because", { note: reply.note })}
                    </span>
                  )}
                </>
              ) : (
                NOTHING
              ),
            { panel: true },
          ),
        ],
        actions: [
          {
            id: "reply_show",
            key: "a",
            label: t("reply_show"),
            when: ({ reply }) => reply !== null && reply.state !== "shown",
            run: (review) =>
              moderate(`${path(review)}/reply/show`, { version: review.reply?.version }, t("reply_shown")),
          },
          {
            id: "reply_refuse",
            key: "r",
            label: t("reply_refuse"),
            danger: true,
            when: ({ reply }) => reply !== null && reply.state !== "refused",
            dialog: (review, onClose) => (
              <ReasonDialog
                path={`${path(review)}/reply/refuse`}
                version={review.reply?.version}
                title={t("reply_refuse_title")}
                submit={t("reply_refuse")}
                done={t("reply_refused")}
                field={{
                  name: "note",
                  label: t("reply_note"),
                  hint: t("reply_note_hint"),
                  max: REPLY_NOTE_MAX,
                }}
                onClose={onClose}
              >
                <p className="wrap-anywhere">{review.reply?.text}</p>
              </ReasonDialog>
            ),
          },
          {
            id: "hide",
            label: t("hide"),
            danger: true,
            when: ({ state }) => state === "published",
            dialog: (review, onClose) => (
              <ReasonDialog
                path={`${path(review)}/hide`}
                version={review.version}
                title={t("hide_title")}
                submit={t("hide")}
                done={t("hidden_done")}
                field={{ name: "reason", label: t("reason"), hint: t("reason_hint"), max: HIDE_REASON_MAX }}
                onClose={onClose}
              >
                <p className="font-medium wrap-anywhere">{review.title}</p>
                <p className="text-quiet">{t("hide_text")}</p>
              </ReasonDialog>
            ),
          },
          {
            id: "show",
            label: t("show"),
            when: ({ state }) => state === "hidden",
            run: (review) => moderate(`${path(review)}/show`, { version: review.version }, t("shown_done")),
          },
        ],
      }}
    />
  );
}

/** Shows a review or a reply, which needs no reason. */
function useModeration() {
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const { run } = useCall(network);
  const startAgain = useStartAgain();
  return async (path: string, body: object, done: string): Promise<void> => {
    const result = await run((options) => api.post<object>(path, body, options));
    if (startAgain(result)) return;
    showToast(result.ok ? done : result.message, result.ok ? "good" : "bad");
    if (result.ok) router.refresh();
  };
}

type ReasonProps = {
  path: string;
  version: string | undefined;
  title: string;
  submit: string;
  done: string;
  field: { name: string; label: string; hint: string; max: number };
  onClose: () => void;
  children: ReactNode;
};

/** Asks for the reason, which other staff or the merchant will read. */
function ReasonDialog({ path, version, title, submit, done, field, onClose, children }: ReasonProps) {
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const { pending, problem, run } = useCall(network);
  const startAgain = useStartAgain();
  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get(field.name) ?? "").trim();
    const result = await run((options) => api.post<object>(path, { [field.name]: reason, version }, options));
    if (startAgain(result, onClose) || !result.ok) return;
    onClose();
    showToast(done, "good");
    router.refresh();
  }
  return (
    <FormDialog
      title={title}
      submit={submit}
      danger
      pending={pending}
      problem={problem}
      onSubmit={send}
      onClose={onClose}
    >
      {children}
      <TextArea
        name={field.name}
        label={field.label}
        hint={field.hint}
        required
        maxLength={field.max}
        rows={2}
      />
    </FormDialog>
  );
}
