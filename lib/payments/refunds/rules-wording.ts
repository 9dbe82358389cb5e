import type { useTranslations } from "next-intl";
import { formatDay } from "@/lib/platform/format";
import type { RefundView } from "./contract";
import { REFUNDABLE_FROM_DAYS } from "./rules";

export type RefundTranslator = ReturnType<typeof useTranslations<"payments.refund">>;

/**
 * The refund decision in one sentence, the same on product, cart, checkout, order and in error messages. `t` is the
 * translator of "payments.refund".
 */
export function refundSentence(
  t: RefundTranslator,
  refund: Pick<RefundView, "reason" | "until" | "days">,
  locale: string,
): string {
  const date = refund.until ? formatDay(refund.until, locale) : "";
  switch (refund.reason) {
    case "refundable":
      return refund.until ? t("until", { date }) : t("for_days", { days: refund.days });
    case "before_delivery_and_days":
      return t("before_delivery_and_days", { days: refund.days });
    case "short_pass":
      return t("short_pass", { days: REFUNDABLE_FROM_DAYS });
    case "window_over":
      return t("window_over", { date });
    default:
      return t(refund.reason);
  }
}
