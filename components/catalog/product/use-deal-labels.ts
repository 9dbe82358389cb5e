import { useLocale, useTranslations } from "next-intl";
import type { DealView } from "@/lib/catalog/contract";
import { formatDay, formatMoment } from "@/lib/platform/format";

/** `spoken` is the sentence with the exact end time. `left` is the stock left at the deal's price. */
export type DealLabels = { endsAt: number; spoken: string; until: string; left: string; dayUnit: string };

/** The remaining time of a deal and the stock left at its price. The exact end time is included as text. */
export function useDealLabels() {
  const t = useTranslations("catalog.deal");
  const locale = useLocale();
  return ({ ends_at, items_left }: DealView): DealLabels => ({
    endsAt: Date.parse(ends_at),
    spoken: t("ends", { moment: formatMoment(ends_at, locale) }),
    until: t("ends", { moment: formatDay(ends_at, locale) }),
    left: t("left", { count: items_left }),
    dayUnit: t("day_unit"),
  });
}
