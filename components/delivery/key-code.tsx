"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { CodeBox } from "@/components/ui/code-box";
import { Dialog } from "@/components/ui/dialog";
import { useTimeZone } from "@/components/ui/local-time";
import { ErrorNotice } from "@/components/ui/notice";
import { useCall } from "@/components/ui/use-call";
import { VENDOR_CONFIRMATION_HOURS } from "@/lib/payments/refunds/rules";
import { api } from "@/lib/platform/api/client";
import { formatMoment } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";

/** What showing a code costs: the instant refund of its line, in USD, and its last moment; null: not limited yet. */
export type RevealCost = { amount: number; until: string | null };

type KeyCodeProps = {
  libraryId: string;
  masked: string;
  /** The code stays unrevealed by choice, so that revealing it gives the consent to its delivery. */
  needsConsent: boolean;
  /** Showing the code ends the statutory right of withdrawal; otherwise that right does not concern the buyer. */
  withdrawal: boolean;
  /** The code was a gift to the reader, so that refund and withdrawal are its giver's. */
  received?: boolean;
  cost: RevealCost | null;
  /** Showing the code starts the shop's count of the pass's time. */
  startsTime: boolean;
};

/**
 * A code of the signed-in user, masked until it is revealed. Each reveal is recorded. A dialog asks before a reveal that
 * costs something: the instant refund, or the right of withdrawal.
 */
export function KeyCode({
  libraryId,
  masked,
  needsConsent,
  withdrawal,
  received,
  cost,
  startsTime,
}: KeyCodeProps) {
  const router = useRouter();
  const [code, setCode] = useState<string>();
  const [asking, setAsking] = useState(false);
  const t = useTranslations("delivery.code");
  const { pending, problem, run } = useCall(useTranslations("errors")("network"));

  async function reveal() {
    const result = await run((options) => api.post("/library/reveal", { library_id: libraryId }, options));
    setAsking(false);
    if (!result.ok) return;
    setCode(result.data.code);
    router.refresh(); // The pass's clock has started.
  }

  return (
    <div className="flex flex-col gap-2">
      <CodeBox
        masked={masked}
        code={code}
        pending={pending}
        labels={{
          label: t("label"),
          reveal: t("reveal"),
          copy: t("copy"),
          copied: t("copied"),
          failed: t("failed"),
        }}
        onReveal={() => (needsConsent || cost ? setAsking(true) : void reveal())}
      />
      <ErrorNotice>{problem}</ErrorNotice>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t("consent_title")}
        closeLabel={t("close")}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>{t(cost ? "keep_hidden" : "cancel")}</Button>
            <Button look="primary" pending={pending} onClick={reveal}>
              {t("reveal")}
            </Button>
          </>
        }
      >
        {startsTime && <p>{t("time")}</p>}
        {cost && <RevealCostText cost={cost} />}
        {needsConsent && (
          <p className={cost ? "text-quiet" : undefined}>
            {t(received ? "gift_text" : withdrawal ? "consent_text" : "consent_text_plain")}
          </p>
        )}
      </Dialog>
    </div>
  );
}

function RevealCostText({ cost: { amount, until } }: { cost: RevealCost }) {
  const t = useTranslations("delivery.code");
  const locale = useLocale();
  const timeZone = useTimeZone();
  const price = formatPrice(toCents(amount), locale);
  return (
    <>
      <p className="font-medium">
        {until
          ? t("cost_text", { amount: price, date: formatMoment(until, locale, timeZone) })
          : t("cost_text_open", { amount: price })}
      </p>
      <p>{t("cost_after", { hours: VENDOR_CONFIRMATION_HOURS })}</p>
    </>
  );
}
