"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ChangeEvent, useState } from "react";
import { Pill, type Tone } from "@/components/console/pill";
import { RecordTable } from "@/components/console/record";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { useSurface } from "@/components/ui/surface";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import type { BankAnswerReport } from "@/lib/payouts/console/contract";
import { api } from "@/lib/platform/api/client";
import { formatPrice, toCents } from "@/lib/platform/money";

const TONES: Record<BankAnswerReport["lines"][number]["effect"], Tone> = {
  applied: "good",
  unchanged: "plain",
  unknown: "bad",
  amount_differs: "bad",
  impossible: "bad",
};

/** A bank's answer: what it would do first, then it does it. */
export function AnswerDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("console.payouts");
  const { locale } = useSurface();
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const { pending, problem, run } = useCall(useTranslations("errors")("network"));
  const [content, setContent] = useState("");
  const [report, setReport] = useState<BankAnswerReport>();
  const applied = report?.lines.filter(({ effect }) => effect === "applied").length ?? 0;
  const send = (text: string, apply: boolean) =>
    run((options) =>
      withReauthentication(() => api.post("/admin/payouts/answers", { content: text, apply }, options)),
    );
  async function choose(event: ChangeEvent<HTMLInputElement>) {
    const file = event.target.files?.[0];
    setReport(undefined);
    if (!file) return;
    const text = await file.text();
    const result = await send(text, false);
    setContent(text);
    if (result.ok) setReport(result.data);
  }
  async function apply() {
    const result = await send(content, true);
    if (!result.ok) return;
    showToast(t("answer_applied", { count: result.data.applied }), "good");
    router.refresh();
    onClose();
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("answer")}
      closeLabel={t("close")}
      actions={
        <Button look="primary" disabled={applied === 0} pending={pending} onClick={() => void apply()}>
          {t("answer_apply", { count: applied })}
        </Button>
      }
    >
      <label className="flex flex-col gap-2">
        <span className="font-medium">{t("answer_file")}</span>
        <span className="text-13 text-quiet">{t("answer_hint")}</span>
        <input
          type="file"
          accept=".xml,.csv,text/csv,application/xml,text/xml"
          onChange={(event) => void choose(event)}
        />
      </label>
      <ErrorNotice>{problem}</ErrorNotice>
      {report && (
        <RecordTable
          label={t("answer_lines")}
          rows={report.lines.map((line, position) => ({ ...line, position }))}
          rowId={({ position }) => String(position)}
          empty={t("answer_empty")}
          columns={[
            {
              name: t("reference"),
              cell: ({ reference }) => <span className="wrap-anywhere">{reference}</span>,
            },
            { name: t("merchant"), cell: ({ merchant_name }) => merchant_name ?? "–" },
            {
              name: t("amount"),
              end: true,
              cell: ({ amount }) => (amount === null ? "–" : formatPrice(toCents(amount), locale)),
            },
            { name: t("outcome"), cell: ({ outcome }) => t(`payout_state.${outcome}`) },
            {
              name: t("answer_effect"),
              cell: ({ effect }) => <Pill tone={TONES[effect]}>{t(`answer_effects.${effect}`)}</Pill>,
            },
          ]}
        />
      )}
    </Dialog>
  );
}
