import type { useTranslations } from "next-intl";
import { formatDay } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";
import type { RefundView } from "./contract";
import { REFUNDABLE_FROM_DAYS, type RefundReason } from "./rules";
import { WITHDRAWAL_DAYS } from "./rules-withdrawal";

export type RefundTranslator = ReturnType<typeof useTranslations<"payments.refund">>;

/** The shop's own rule refuses these passes, regardless of the law. */
export const isDeniedByShop = (reason: RefundReason): reason is "short_pass" | "limited_time" =>
  reason === "short_pass" || reason === "limited_time";

/** What a buyer can get back now, by the better of the shop's rule and the law; `until` null: before the payment. */
export type MoneyBack = {
  amount: number;
  until: string | null;
  /** 0: until the delivery, without a last day */
  days: number;
  /** `rule`: while the code is unused; `right`: while it is unseen */
  by: "rule" | "right" | "before_delivery";
};

/**
 * The money that a refund view promises. The shop's window never ends before the statutory one, so that the rule counts where
 * both hold. Null: nothing, or only in some countries.
 */
export function moneyBack({
  refundable,
  reason,
  amount,
  until,
  days,
  right,
}: RefundViewFacts): MoneyBack | null {
  if (refundable && reason.startsWith("before_delivery"))
    return { amount, until: null, days: 0, by: "before_delivery" };
  if (refundable) return { amount, until, days, by: "rule" };
  return right?.state === "open" && right.amount > 0
    ? { amount: right.amount, until: right.until, days: WITHDRAWAL_DAYS, by: "right" }
    : null;
}

type RefundViewFacts = Pick<RefundView, "refundable" | "reason" | "amount" | "until" | "days" | "right">;

/**
 * What a buyer can get back, in one sentence, the same on product, cart, checkout, order, Library, withdrawal form, in emails
 * and error messages (docs/product.md#81-refunds). `t` is the translator of "payments.refund"; `formatUntil` writes a last
 * moment, by default as a day.
 */
export function refundSentence(
  t: RefundTranslator,
  refund: RefundViewFacts,
  locale: string,
  formatUntil: (when: string, by: MoneyBack["by"]) => string = (when) => formatDay(when, locale),
): string {
  const back = moneyBack(refund);
  const { reason, right } = refund;
  if (back) {
    const amount = formatPrice(toCents(back.amount), locale);
    if (back.by === "before_delivery") return t(reason as "before_delivery", { amount, days: refund.days });
    if (back.until) return t(`${back.by}_until`, { amount, date: formatUntil(back.until, back.by) });
    return t(`${back.by}_days`, { amount, days: back.days });
  }
  if (isDeniedByShop(reason)) {
    if (right?.state === "by_country") {
      const amount = formatPrice(toCents(right.amount), locale);
      return t(`${reason}_by_country`, { amount, days: WITHDRAWAL_DAYS, from: REFUNDABLE_FROM_DAYS });
    }
    if (right?.state === "over" && right.until)
      return t("window_over", { date: formatUntil(right.until, "right") });
    if (right) return t("seen");
    return t(reason, { days: REFUNDABLE_FROM_DAYS });
  }
  if (reason === "window_over" && refund.until)
    return t("window_over", { date: formatUntil(refund.until, "rule") });
  return t(reason as "free");
}
