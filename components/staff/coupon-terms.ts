import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { useTimeZone } from "@/components/ui/local-time";
import { useSurface } from "@/components/ui/surface";
import { formatMoment } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";

type Worth = { amount: number | null; percent: number | null; max_discount?: number | null };
type Terms = Worth & { minimum: number; first_order_only?: boolean; expires_at: string | null };

/**
 * What a coupon takes off, from which order on, and until when, in words. It is below the console of coupons because the
 * effects of an action name these terms.
 */
export function useCouponTerms() {
  const t = useTranslations("console.coupon_terms");
  const { locale } = useSurface();
  const timeZone = useTimeZone();
  return useMemo(() => {
    const usd = (amount: number) => formatPrice(toCents(amount), locale);
    const worth = ({ amount, percent, max_discount = null }: Worth): string => {
      if (amount !== null) return t("amount", { amount: usd(amount) });
      return max_discount === null
        ? t("percent", { percent: percent ?? 0 })
        : t("percent_capped", { percent: percent ?? 0, amount: usd(max_discount) });
    };
    const terms = (coupon: Terms): string[] => {
      const { minimum, first_order_only, expires_at } = coupon;
      return [
        worth(coupon),
        minimum > 0 ? t("minimum", { amount: usd(minimum) }) : t("any_order"),
        ...(first_order_only ? [t("first_order")] : []),
        expires_at === null ? t("endless") : t("until", { time: formatMoment(expires_at, locale, timeZone) }),
      ];
    };
    return { worth, terms };
  }, [t, locale, timeZone]);
}
