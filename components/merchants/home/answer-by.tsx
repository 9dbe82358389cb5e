"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Age, TimeLeft } from "@/components/console/time";
import { AnswerDialog, isStopped, useCodeText } from "@/components/merchants/requests/answer-dialog";
import { Button } from "@/components/ui/button";
import { useSurface } from "@/components/ui/surface";
import type { MerchantRequest } from "@/lib/merchants/requests/contract";
import { ANSWERS, type RequestAnswer } from "@/lib/merchants/requests/rules";
import { formatPrice, toCents } from "@/lib/platform/money";

/** The requests of buyers with the least time left, each with its answers in place. */
export function AnswerBy({ requests }: { requests: readonly MerchantRequest[] }) {
  const t = useTranslations("console.merchant_home");
  const words = useTranslations("console.merchant_requests");
  const codeText = useCodeText();
  const { locale } = useSurface();
  const [open, setOpen] = useState<{ request: MerchantRequest; answer: RequestAnswer }>();
  return (
    <>
      {requests.length === 0 && <p className="text-quiet">{t("no_requests")}</p>}
      <ul className="divide-y divide-hairline overflow-hidden rounded-control border-hairline bg-raised not-empty:border">
        {requests.map((request) => {
          const { request_id, kind, amount, answer_by, asked_at, blocked_by, reason } = request;
          return (
            <li key={request_id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
              <div className="min-w-60 flex-1">
                <p className="flex flex-wrap gap-x-3">
                  <span className="font-medium">
                    {answer_by ? <TimeLeft until={answer_by} late={words("late")} /> : <Age at={asked_at} />}
                  </span>
                  <span className="min-w-0 wrap-anywhere">
                    {words(`tabs.${kind}`)} · {request.product_name} · {request.vip_type}
                  </span>
                  {amount !== null && <span className="figures">{formatPrice(toCents(amount), locale)}</span>}
                </p>
                <p className="text-13 text-quiet wrap-anywhere">
                  {blocked_by
                    ? words(`blocked.${blocked_by}`)
                    : `${request.buyer} · ${codeText(request.codes)}`}
                  {reason && <span className="line-clamp-2">{reason}</span>}
                </p>
              </div>
              <span className="flex gap-2">
                {ANSWERS[kind]
                  .filter((answer) => !isStopped(request, answer))
                  .map((answer) => (
                    <Button key={answer} onClick={() => setOpen({ request, answer })}>
                      {words(`answers.${answer}`)}
                      <span className="sr-only">
                        {request.product_name}, {request.buyer}
                      </span>
                    </Button>
                  ))}
              </span>
            </li>
          );
        })}
      </ul>
      {open && <AnswerDialog {...open} onClose={() => setOpen(undefined)} />}
    </>
  );
}
