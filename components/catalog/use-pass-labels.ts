import { useLocale, useTranslations } from "next-intl";
import type { ListPrice } from "@/components/ui/price";
import type { VipOption } from "@/lib/catalog/contract";
import { passNameKey } from "@/lib/catalog/pricing/rules";
import { durationSpan } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";

type ComparedPrice = Pick<VipOption, "list_price" | "list_price_kind" | "lowest_price_30d">;

type Pass = Parameters<typeof passNameKey>[0] &
  ComparedPrice & {
    price: number;
    price_per_day: number | null;
  };

/** Formats a pass: name, duration, price and price per day. Prices are the API's decimal strings. */
export function usePassLabels() {
  const t = useTranslations();
  const locale = useLocale();
  const money = (usd: number) => (usd === 0 ? t("catalog.free") : formatPrice(toCents(usd), locale));
  const name = (pass: Parameters<typeof passNameKey>[0]) => {
    const { key, values } = passNameKey(pass);
    return t(key, values);
  };
  /** The price per day, such as "$2.13 a day". A lifetime pass is labeled as paid once. A free pass has none. */
  const perDay = ({ price, price_per_day, duration_days }: Omit<Pass, keyof ComparedPrice>) => {
    if (price === 0) return undefined;
    if (duration_days === null) return t("catalog.pay_once");
    return price_per_day === null ? undefined : t("catalog.per_day", { price: money(price_per_day) });
  };
  /** The higher price beside that of `quantity` units: an earlier one with the lowest of 30 days, or the vendor's. */
  const compared = (
    { list_price, list_price_kind, lowest_price_30d }: ComparedPrice,
    quantity = 1,
  ): ListPrice | undefined => {
    const total = (usd: number) => formatPrice(toCents(usd) * quantity, locale);
    if (list_price === null) return undefined;
    if (list_price_kind === "vendor" || lowest_price_30d === null)
      return { label: t("catalog.comparison.vendor", { price: total(list_price) }) };
    return {
      text: total(list_price),
      label: t("catalog.comparison.previous"),
      lowest:
        lowest_price_30d === list_price
          ? t("catalog.comparison.lowest_same")
          : t("catalog.comparison.lowest", { price: total(lowest_price_30d) }),
    };
  };
  return {
    money,
    name,
    perDay,
    compared,
    /** Duration and prices on the pass's ticket. `heroLabel` is the accessible text for "∞". */
    ticket: (pass: Pass) => ({
      hero: durationSpan(pass.duration_days, locale),
      heroLabel: pass.duration_days === null ? name(pass) : undefined,
      price: {
        text: money(pass.price),
        list: compared(pass),
      },
      perDay: perDay(pass),
    }),
  };
}
