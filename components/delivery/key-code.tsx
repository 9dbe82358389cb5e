"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { CodeBox } from "@/components/ui/code-box";
import { Icon } from "@/components/ui/icon";
import { LocalTimes } from "@/components/ui/local-times";
import { ErrorNotice } from "@/components/ui/notice";
import { TearStub } from "@/components/ui/ticket/tear-stub";
import { useCall } from "@/components/ui/use-call";
import { api } from "@/lib/platform/api/client";
import { formatDay } from "@/lib/platform/format";
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
  /** The days of the pass, which start when the code is shown; null if nothing starts. */
  startsDays: number | null;
  /** A note above a code without a stub. */
  note?: string;
};

/** The duration of the tearing animation (tear.css). */
const OFF_MS = 220;

/**
 * A code of the signed-in user in the stub of a ticket, masked until it is revealed. Each reveal is recorded. If a
 * reveal ends the instant refund or the right of withdrawal, a stub that says so covers the code, which appears beneath
 * it when the call has returned.
 */
export function KeyCode(props: KeyCodeProps) {
  const { libraryId, masked, needsConsent, withdrawal, received, cost, note } = props;
  const router = useRouter();
  const locale = useLocale();
  const t = useTranslations("delivery.code");
  const [code, setCode] = useState<string>();
  // Kept when the page reloads its data after the reveal, which then has no further effect.
  const [cover, setCover] = useState(needsConsent || cost !== null);
  const meaning = useMeaning(props);
  const { pending, problem, run } = useCall(useTranslations("errors")("network"));

  async function reveal(): Promise<boolean> {
    const result = await run((options) => api.post("/library/reveal", { library_id: libraryId }, options));
    if (!result.ok) return false;
    setCode(result.data.code);
    setTimeout(() => {
      setCover(false);
      router.refresh(); // The pass's clock has started.
    }, OFF_MS);
    return true;
  }

  const labels = {
    label: t("label"),
    reveal: t("reveal"),
    copy: t("copy"),
    copied: t("copied"),
    failed: t("failed"),
  };
  const consent = t(received ? "gift_text" : withdrawal ? "consent_text" : "consent_text_plain");
  return (
    <>
      {(code || !cover) && (
        <div className="stub-code">
          {note && !code && (
            <p className="flex items-center gap-1.5 text-13 font-medium">
              <Icon name="mail" size={16} />
              {note}
            </p>
          )}
          <CodeBox masked={masked} code={code} pending={pending} labels={labels} onReveal={reveal} />
          {!cover && <ErrorNotice>{problem}</ErrorNotice>}
        </div>
      )}
      {cover && (
        <TearStub
          action="/show-code"
          fields={{ library_id: libraryId, target_lang: locale }}
          labels={{ here: t("here"), shown: t("shown"), how: t("how"), button: t("reveal") }}
          plain={needsConsent && withdrawal && !received}
          pending={pending}
          off={code !== undefined}
          onTorn={reveal}
          meaning={meaning}
          consent={needsConsent && consent}
          problem={problem}
        />
      )}
    </>
  );
}

/** The effects of showing the code, as parts of one line; null without effects. */
function useMeaning({ cost, startsDays }: Pick<KeyCodeProps, "cost" | "startsDays">) {
  const t = useTranslations("delivery.code");
  const locale = useLocale();
  const starts = startsDays === null ? [] : [t("starts", { days: startsDays })];
  if (!cost) return starts[0] ?? null;
  const amount = formatPrice(toCents(cost.amount), locale);
  const ends = cost.until
    ? t("cost", { amount, date: formatDay(cost.until, locale) })
    : t("cost_open", { amount });
  return <LocalTimes of={[cost.until]}>{[...starts, ends].join(" · ")}</LocalTimes>;
}
