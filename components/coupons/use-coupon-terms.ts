import { useLocale, useTranslations } from "next-intl";
import type { CouponView } from "@/lib/coupons/contract";
import { formatMoment } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";

export function useCouponTerms() {
  const t = useTranslations("coupons.terms");
  const locale = useLocale();
  const money = (amount: number) => formatPrice(toCents(amount), locale);
  return {
    worth: ({ amount, percent }: CouponView) => (amount === null ? `${percent}%` : money(amount)),
    terms(coupon: CouponView): string {
      const { min_amount, max_discount, first_order_only, free, starts_at, expires_at, state } = coupon;
      const parts = [
        first_order_only && t("first_order"),
        free && t("free"),
        min_amount > 0 ? t("minimum", { amount: money(min_amount) }) : t("any"),
        max_discount !== null && t("cap", { amount: money(max_discount) }),
        state === "not_yet_valid" && starts_at && t("from", { moment: formatMoment(starts_at, locale) }),
        expires_at && t("until", { moment: formatMoment(expires_at, locale) }),
      ];
      return parts.filter(Boolean).join(" · ");
    },
  };
}
