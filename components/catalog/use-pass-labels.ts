import { useLocale, useTranslations } from "next-intl";
import { passNameKey } from "@/lib/catalog/pricing/rules";
import { durationSpan } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";

type Pass = Parameters<typeof passNameKey>[0] & {
  price: number;
  list_price: number | null;
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
  const perDay = ({ price, price_per_day, duration_days }: Omit<Pass, "list_price">) => {
    if (price === 0) return undefined;
    if (duration_days === null) return t("catalog.pay_once");
    return price_per_day === null ? undefined : t("catalog.per_day", { price: money(price_per_day) });
  };
  const listPrice = (usd: number) => ({ text: money(usd), label: t("catalog.list_price") });
  return {
    money,
    name,
    perDay,
    /** Duration and prices on the pass's ticket. `heroLabel` is the accessible text for "∞". */
    ticket: (pass: Pass) => ({
      hero: durationSpan(pass.duration_days, locale),
      heroLabel: pass.duration_days === null ? name(pass) : undefined,
      price: {
        text: money(pass.price),
        list: pass.list_price === null ? undefined : listPrice(pass.list_price),
      },
      perDay: perDay(pass),
    }),
  };
}
