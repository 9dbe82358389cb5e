"use client";

import { useTranslations } from "next-intl";
import { columnsOf } from "@/components/console/list/columns";
import { type ListData, ListScreen } from "@/components/console/list/list-screen";
import type { RowAction } from "@/components/console/list/row-actions";
import type { MerchantRequest } from "@/lib/merchants/requests/contract";
import { ANSWERS, REQUEST_KINDS, type RequestKind } from "@/lib/merchants/requests/rules";
import { ANSWER_KEYS, AnswerDialog, isStopped, useCodeText } from "./answer-dialog";

const STATES = ["open", "decided"] as const;

const column = columnsOf<MerchantRequest>();

/** The requests of buyers to a merchant, nearest deadline first. */
export function MerchantRequests(data: ListData<MerchantRequest>) {
  const t = useTranslations("console.merchant_requests");
  const kind = REQUEST_KINDS.find((one) => one === data.values.kind) ?? "refund";
  const open = data.values.state !== "decided";
  const codeText = useCodeText();
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
        column.text("codes", t("codes"), ({ codes }) => codeText(codes)),
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
                key: ANSWER_KEYS[answer],
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
