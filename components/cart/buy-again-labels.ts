import { useLocale, useTranslations } from "next-intl";
import { durationSpan } from "@/lib/platform/format";
import type { BuyAgainLabels } from "./buy-again";

/** The labels of `BuyAgain`. With the days of a running pass the button offers as many more. */
export function useBuyAgainLabels(extendDays?: number | null): BuyAgainLabels {
  const t = useTranslations("cart.buy_again");
  const network = useTranslations("errors")("network");
  const span = durationSpan(extendDays ?? null, useLocale());
  return {
    buy: extendDays ? t("extend", { span: `${span.value} ${span.unit}` }) : t("buy"),
    gone: t("gone"),
    soldOut: t("sold_out"),
    network,
  };
}
