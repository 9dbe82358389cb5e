import { useLocale, useTranslations } from "next-intl";
import { classNames } from "@/components/ui/class-names";
import { formatDay } from "@/lib/format";
import type { RefundView } from "@/lib/payments/contract-refund";
import { REFUNDABLE_FROM_DAYS } from "@/lib/payments/rules-refund";

type Words = ReturnType<typeof useTranslations<"payments.refund">>;

/**
 * What one gets back, in one sentence: the words of the one refund decision (lib/payments/rules-refund.ts), the same
 * on product, cart, checkout and order. `t` is the translator of "payments.refund".
 */
export function refundSentence(t: Words, refund: RefundView, locale: string): string {
  const date = refund.until ? formatDay(refund.until, locale) : "";
  switch (refund.reason) {
    case "refundable":
      return refund.until ? t("until", { date }) : t("for_days", { days: refund.days });
    case "short_pass":
      return t("short_pass", { days: REFUNDABLE_FROM_DAYS });
    case "window_over":
      return t("window_over", { date });
    default:
      return t(refund.reason);
  }
}

/** The sentence as a quiet line; give it a place. */
export function RefundLine({ refund, className }: { refund: RefundView; className?: string }) {
  const t = useTranslations("payments.refund");
  return (
    <p className={classNames("text-13 text-quiet", className)}>{refundSentence(t, refund, useLocale())}</p>
  );
}
