"use client";

import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import type { Column } from "@/components/console/data-table";
import type { FilterValues } from "@/components/console/filter-bar";
import { ListScreen } from "@/components/console/list-screen";
import { Pill } from "@/components/console/pill";
import { StateTabs } from "@/components/console/state-tabs";
import { ShortTime, TimeLeft } from "@/components/console/time";
import { useStartAgain } from "@/components/console/use-start-again";
import { useAction } from "@/components/merchants/portal/use-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { TextArea } from "@/components/ui/text-input";
import { REPLACEMENT_NOTE_MAX } from "@/lib/delivery/rules";
import type {
  MerchantRequest,
  MerchantRequestList,
  RequestAnswered,
} from "@/lib/merchants/requests/contract";
import { REQUEST_KINDS, type RequestAnswer, type RequestKind } from "@/lib/merchants/requests/rules";
import { api } from "@/lib/platform/api/client";
import { formatPrice, toCents } from "@/lib/platform/money";

type Props = {
  home: string;
  list: MerchantRequestList;
  values: FilterValues;
  kind: RequestKind;
  open: boolean;
};
type Choice = { request: MerchantRequest; answer: RequestAnswer };

/** What buyers ask a merchant, the least time left first. */
export function MerchantRequests({ home, list, values, kind, open }: Props) {
  const t = useTranslations("console.merchant_requests");
  const { locale } = useSurface();
  const [choice, setChoice] = useState<Choice>();
  const path = `${home}/requests`;
  const tabs = [
    ...REQUEST_KINDS.map((one) => ({
      value: `${one}:open`,
      label: t(`tabs.${one}`),
      href: `${path}?kind=${one}`,
    })),
    ...REQUEST_KINDS.map((one) => ({
      value: `${one}:decided`,
      label: t(`tabs.${one}_decided`),
      href: `${path}?kind=${one}&state=decided`,
    })),
  ];
  const columns = useMemo(
    (): Column<MerchantRequest>[] => [
      {
        id: "pass",
        header: t("pass"),
        main: true,
        cell: ({ product_name, vip_type }) => (
          <>
            <span className="wrap-anywhere">{product_name}</span>
            <span className="block text-13 text-quiet">{vip_type}</span>
          </>
        ),
      },
      {
        id: "codes",
        header: t("codes"),
        cell: ({ codes }) =>
          codes.length === 0 ? (
            "–"
          ) : (
            <ul>
              {codes.map(({ digest, ending }) => (
                <li key={digest} className="whitespace-nowrap">
                  {ending ? t("code_ending", { digest, ending }) : digest}
                </li>
              ))}
            </ul>
          ),
      },
      {
        id: "what",
        header: kind === "refund" ? t("amount") : t("reason"),
        cell: ({ amount, reason, asked_by_shop }) => (
          <>
            {amount === null
              ? reason && <p className="max-w-text whitespace-pre-wrap wrap-anywhere">{reason}</p>
              : formatPrice(toCents(amount), locale)}
            {asked_by_shop && <p className="text-13 text-quiet">{t("asked_by_shop")}</p>}
          </>
        ),
      },
      { id: "buyer", header: t("buyer"), oneLine: true, cell: ({ buyer }) => buyer },
      { id: "asked", header: t("asked"), cell: ({ asked_at }) => <ShortTime at={asked_at} /> },
      open
        ? {
            id: "deadline",
            header: kind === "refund" ? t("deadline") : t("stock"),
            cell: ({ answer_by, stock }) =>
              answer_by ? (
                <>
                  <ShortTime at={answer_by} />
                  <span className="block text-13 text-quiet">
                    <TimeLeft until={answer_by} late={t("late")} />
                  </span>
                </>
              ) : (
                String(stock ?? "–")
              ),
          }
        : {
            id: "decided",
            header: t("decided"),
            cell: ({ state, decided_by, decided_at }) => (
              <>
                <Pill tone={state === "approved" ? "good" : "plain"}>
                  {t(`states.${kind}_${state === "approved" ? "approved" : "refused"}`)}
                </Pill>
                <span className="block text-13 text-quiet">
                  {decided_by && t(`by.${decided_by}`)} {decided_at && <ShortTime at={decided_at} />}
                </span>
              </>
            ),
          },
      ...(open
        ? [
            {
              id: "actions",
              header: t("answer"),
              main: true,
              cell: (request: MerchantRequest) => <Answers request={request} onChoose={setChoice} />,
            },
          ]
        : []),
    ],
    [t, kind, open, locale],
  );
  return (
    <>
      <ListScreen
        name="merchant-requests"
        path={path}
        title={t("title")}
        lead={t(`leads.${kind}`)}
        list={list}
        values={values}
        filters={[]}
        tabs={["kind", "state"]}
        columns={columns}
        rowId={({ request_id }) => request_id}
        rowName={({ product_name, buyer }) => `${product_name}, ${buyer}`}
        empty={t(open ? "empty" : "empty_decided")}
        tools={<StateTabs label={t("parts")} tabs={tabs} current={`${kind}:${open ? "open" : "decided"}`} />}
      />
      {choice && <AnswerDialog {...choice} onClose={() => setChoice(undefined)} />}
    </>
  );
}

const ANSWERS: Record<RequestKind, readonly RequestAnswer[]> = {
  refund: ["unused", "used"],
  replacement: ["replace", "refuse"],
};

function Answers({ request, onChoose }: { request: MerchantRequest; onChoose: (choice: Choice) => void }) {
  const t = useTranslations("console.merchant_requests");
  const { kind, blocked_by: block } = request;
  const isStopped = (answer: RequestAnswer) =>
    block !== null && (kind === "refund" || answer === "replace" || block === "own_request");
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap gap-2">
        {ANSWERS[kind].map((answer) => (
          <Button key={answer} disabled={isStopped(answer)} onClick={() => onChoose({ request, answer })}>
            {t(`answers.${answer}`)}
          </Button>
        ))}
      </div>
      {block && <p className="text-13 text-quiet">{t(`blocked.${block}`)}</p>}
    </div>
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
