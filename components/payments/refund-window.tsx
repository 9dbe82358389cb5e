import { useLocale, useTranslations } from "next-intl";
import { LocalTimes } from "@/components/ui/local-times";
import type { RefundView } from "@/lib/payments/refunds/contract";
import { REFUND_DAYS } from "@/lib/payments/refunds/rules";
import { WITHDRAWAL_DAYS } from "@/lib/payments/refunds/rules-withdrawal";
import { moneyBack } from "@/lib/payments/refunds/rules-wording";
import { formatDay } from "@/lib/platform/format";
import { RefundBar } from "./refund-bar";

const DAY_MS = 86_400_000;

/**
 * The days in which money comes back as bars from the payment on: one, or before an order one for the countries with a right of
 * withdrawal and one for the others. Decorative: the sentence above says the same.
 */
export function RefundWindow({ refund }: { refund: RefundView }) {
  const t = useTranslations("payments.refund.sheet");
  const back = moneyBack(refund);
  if (back?.by === "before_delivery") return null;
  const until = back?.until ?? null;
  const days = back?.days ?? 0;
  const byCountry = !until && refund.right?.state === "by_country";
  return (
    <div aria-hidden className="flex flex-col gap-2">
      {byCountry && <Bar days={Math.max(days, WITHDRAWAL_DAYS)} label={t("with_right")} />}
      <Bar days={days} until={until} label={byCountry ? t("elsewhere") : t("here")} />
      <div className="flex justify-between text-13 text-quiet">
        <span>{t("paid")}</span>
        <span>{t("day", { day: REFUND_DAYS })}</span>
      </div>
    </div>
  );
}

/** One bar of REFUND_DAYS days; with an end the days that are over are hatched. */
function Bar({ days, until = null, label }: { days: number; until?: string | null; label: string }) {
  const t = useTranslations("payments.refund.sheet");
  const locale = useLocale();
  const leftMs = until ? Math.max(0, Date.parse(until) - Date.now()) : days * DAY_MS;
  const spent = Math.min(days, Math.max(0, days - Math.ceil(leftMs / DAY_MS)));
  return (
    <RefundBar
      label={label}
      text={until ? <LocalTimes of={[until]}>{formatDay(until, locale)}</LocalTimes> : t("days", { days })}
      days={days}
      spent={spent}
      all={REFUND_DAYS}
    />
  );
}
