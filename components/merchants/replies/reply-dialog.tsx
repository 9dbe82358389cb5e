"use client";

import { useTranslations } from "next-intl";
import type { FormEvent } from "react";
import { FormDialog } from "@/components/console/form-dialog";
import { useAction } from "@/components/merchants/portal/use-action";
import { TextArea } from "@/components/ui/text-input";
import type { MerchantReview, ReplyView } from "@/lib/merchants/replies/contract";
import { REPLY_MAX } from "@/lib/merchants/replies/rules";
import { api } from "@/lib/platform/api/client";

/** A review has one reply, which is written again where staff refused it. */
export const mayReplyTo = ({ reply }: MerchantReview) => !reply || reply.state === "refused";

export function ReplyDialog({ review, onClose }: { review: MerchantReview; onClose: () => void }) {
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
