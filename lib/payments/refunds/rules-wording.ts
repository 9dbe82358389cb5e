import type { useTranslations } from "next-intl";
import { formatDay } from "@/lib/platform/format";
import type { RefundView } from "./contract";
import { REFUNDABLE_FROM_DAYS, type RefundReason } from "./rules";

export type RefundTranslator = ReturnType<typeof useTranslations<"payments.refund">>;

/** The shop's own rule refuses these passes, regardless of the law. */
export const isDeniedByShop = (reason: RefundReason): reason is "short_pass" | "limited_time" =>
  reason === "short_pass" || reason === "limited_time";

/**
 * The refund decision in one sentence, the same on product, cart, checkout, order and in error messages. `t` is the
 * translator of "payments.refund". `withdrawable`: the statutory right of withdrawal holds, and the sentence says so where
 * the shop's own rule refuses (docs/product.md#82-withdrawal); `by_country` where the reader's country is not known yet.
 */
export function refundSentence(
  t: RefundTranslator,
  refund: Pick<RefundView, "reason" | "until" | "days">,
  locale: string,
  withdrawable: boolean | "by_country" = false,
): string {
  const date = refund.until ? formatDay(refund.until, locale) : "";
  if (withdrawable && isDeniedByShop(refund.reason))
    return t(`${refund.reason}_${withdrawable === true ? "withdrawal" : "by_country"}`, {
      days: REFUNDABLE_FROM_DAYS,
    });
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
