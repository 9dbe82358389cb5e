"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { columnsOf } from "@/components/console/list/columns";
import { type ListData, ListScreen } from "@/components/console/list/list-screen";
import type { RowAction } from "@/components/console/list/row-actions";
import { useStartAgain } from "@/components/console/use-start-again";
import { useAction } from "@/components/merchants/portal/use-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { TextArea } from "@/components/ui/text-input";
import { REPLACEMENT_NOTE_MAX } from "@/lib/delivery/rules";
import type { MerchantRequest, RequestAnswered } from "@/lib/merchants/requests/contract";
import { REQUEST_KINDS, type RequestAnswer, type RequestKind } from "@/lib/merchants/requests/rules";
import { api } from "@/lib/platform/api/client";
import { formatPrice, toCents } from "@/lib/platform/money";

type Choice = { request: MerchantRequest; answer: RequestAnswer };

const ANSWERS: Record<RequestKind, readonly RequestAnswer[]> = {
  refund: ["unused", "used"],
  replacement: ["replace", "refuse"],
};
const KEYS: Partial<Record<RequestAnswer, "a" | "r">> = {
  unused: "a",
  used: "r",
  replace: "a",
  refuse: "r",
};
const STATES = ["open", "decided"] as const;

const column = columnsOf<MerchantRequest>();

/** Whether what blocks a request stops this answer too. */
const isStopped = ({ kind, blocked_by: block }: MerchantRequest, answer: RequestAnswer) =>
  block !== null && (kind === "refund" || answer === "replace" || block === "own_request");

/** What buyers ask a merchant, the least time left first. */
export function MerchantRequests(data: ListData<MerchantRequest>) {
  const t = useTranslations("console.merchant_requests");
  const kind = REQUEST_KINDS.find((one) => one === data.values.kind) ?? "refund";
  const open = data.values.state !== "decided";
  const codeText = ({ digest, ending }: MerchantRequest["codes"][number]) =>
    ending ? t("code_ending", { digest, ending }) : digest;
  return (
    <ListScreen
      {...data}
      title={t("title")}
      lead={t(`leads.${kind}`)}
      empty={t(open ? "empty" : "empty_decided")}
      rowId={({ request_id }) => request_id}
      rowName={({ product_name, buyer }) => `${product_name}, ${buyer}`}
      texts={{
        values: {
          kind: (value) => t(`tabs.${value as RequestKind}`),
          state: (value) => t(`parts_of.${value as (typeof STATES)[number]}`),
        },
      }}
      views={STATES.flatMap((state) =>
        REQUEST_KINDS.map((one) => ({
          id: `${one} ${state}`,
          label: t(`tabs.${one}${state === "open" ? "" : "_decided"}`),
          filters: { ...(one !== "refund" && { kind: one }), ...(state !== "open" && { state }) },
        })),
      )}
      columns={[
        column.text("pass", t("pass"), (row) => `${row.product_name} · ${row.vip_type}`, { main: true }),
        column.text("codes", t("codes"), ({ codes }) => codes.map(codeText).join(", ")),
        kind === "refund"
          ? column.money("amount", t("amount"), ({ amount }) => amount)
          : column.text("reason", t("reason"), ({ reason }) => reason),
        column.text("buyer", t("buyer"), ({ buyer }) => buyer, { width: 130, card: "sub" }),
        column.text("by_shop", t("asked_how"), (row) => (row.asked_by_shop ? t("asked_by_shop") : null), {
          panel: true,
        }),
        column.time("asked", t("asked"), ({ asked_at }) => asked_at),
        ...(open
          ? [
              kind === "refund"
                ? column.timeLeft("left", t("deadline"), (row) => row.answer_by ?? row.asked_at, t("late"))
                : column.count("stock", t("stock"), ({ stock }) => stock, { limit: 100 }),
              column.text("blocked", t("blocked_title"), (row) =>
                row.blocked_by ? t(`blocked.${row.blocked_by}`) : null,
              ),
            ]
          : [
              column.state("decided", t("decided"), ({ state }) => ({
                text: t(`states.${kind}_${state === "approved" ? "approved" : "refused"}`),
                tone: state === "approved" ? "good" : "plain",
              })),
              column.text(
                "by",
                t("decided_by"),
                (row) => (row.decided_by ? t(`by.${row.decided_by}`) : null),
                {
                  width: 140,
                },
              ),
              column.time("decided_at", t("decided_at"), ({ decided_at }) => decided_at),
            ]),
      ]}
      actions={
        open
          ? ANSWERS[kind].map(
              (answer): RowAction<MerchantRequest> => ({
                id: answer,
                label: t(`answers.${answer}`),
                ...(KEYS[answer] && { key: KEYS[answer] }),
                when: (request) => !isStopped(request, answer),
                dialog: (request, onClose) => (
                  <AnswerDialog request={request} answer={answer} onClose={onClose} />
                ),
              }),
            )
          : []
      }
    />
  );
}

/** Says what an answer does before it is given. */
function AnswerDialog({ request, answer, onClose }: Choice & { onClose: () => void }) {
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
