import { useLocale, useTranslations } from "next-intl";
import { durationSpan, spanText } from "@/lib/platform/format";
import type { BuyAgainLabels } from "./buy-again";

/** The labels of `BuyAgain`. With the days of a running pass the button offers as many more. */
export function useBuyAgainLabels(extendDays?: number | null): BuyAgainLabels {
  const t = useTranslations("cart.buy_again");
  const network = useTranslations("errors")("network");
  const locale = useLocale();
  return {
    buy: extendDays ? t("extend", { span: spanText(durationSpan(extendDays, locale), locale) }) : t("buy"),
    gone: t("gone"),
    soldOut: t("sold_out"),
    network,
  };
}
