"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useStartAgain } from "@/components/console/use-start-again";
import { useAction } from "@/components/merchants/portal/use-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { TextArea } from "@/components/ui/text-input";
import { REPLACEMENT_NOTE_MAX } from "@/lib/delivery/rules";
import type { MerchantRequest, RequestAnswered } from "@/lib/merchants/requests/contract";
import type { RequestAnswer } from "@/lib/merchants/requests/rules";
import { api } from "@/lib/platform/api/client";
import { formatPrice, toCents } from "@/lib/platform/money";

export const ANSWER_KEYS: Record<RequestAnswer, "a" | "r"> = {
  unused: "a",
  used: "r",
  replace: "a",
  refuse: "r",
};

/** Whether the obstacle of a request prevents this answer too. */
export const isStopped = ({ kind, blocked_by: block }: MerchantRequest, answer: RequestAnswer) =>
  block !== null && (kind === "refund" || answer === "replace" || block === "own_request");

/** The references of a request's codes, in one line. */
export function useCodeText() {
  const t = useTranslations("console.merchant_requests");
  return (codes: MerchantRequest["codes"]) =>
    codes.map(({ digest, ending }) => (ending ? t("code_ending", { digest, ending }) : digest)).join(", ");
}

/** The dialog that explains an answer before it is given. */
export function AnswerDialog({
  request,
  answer,
  onClose,
}: {
  request: MerchantRequest;
  answer: RequestAnswer;
  onClose: () => void;
}) {
  const t = useTranslations("console.merchant_requests");
  const { locale } = useSurface();
  const { pending, problem, act } = useAction();
  const startAgain = useStartAgain();
  const [reason, setReason] = useState("");
  const amount = request.amount === null ? "" : formatPrice(toCents(request.amount), locale);
  async function send() {
    const path = `/merchant/requests/${request.request_id}/answer`;
    const body = {
      version: request.version,
      answer,
      ...(answer === "refuse" && reason.trim() && { reason: reason.trim() }),
    };
    const result = await act<RequestAnswered>((options) => api.post(path, body, options), t("answered"));
    if (!startAgain(result, onClose) && result.ok) onClose();
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(`answers.${answer}`)}
      closeLabel={t("close")}
      actions={
        <>
          <Button look="quiet" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button look="primary" pending={pending} onClick={() => void send()}>
            {t("confirm")}
          </Button>
        </>
      }
    >
      <p className="font-medium wrap-anywhere">
        {request.product_name} · {request.vip_type} · {request.buyer}
      </p>
      <p>{t(`effects.${answer}`, { amount })}</p>
      {answer === "refuse" && (
        <TextArea
          name="reason"
          label={t("why")}
          hint={t("why_hint")}
          required
          maxLength={REPLACEMENT_NOTE_MAX}
          rows={3}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      )}
      <ErrorNotice>{problem}</ErrorNotice>
    </Dialog>
  );
}
