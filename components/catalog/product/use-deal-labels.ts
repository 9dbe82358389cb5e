import { useLocale, useTranslations } from "next-intl";
import type { DealView } from "@/lib/catalog/contract";
import { formatMoment } from "@/lib/platform/format";

/** `said` is the sentence with the fixed end, `left` how many there are at the deal's price. */
export type DealLabels = { endsAt: number; said: string; left: string; dayUnit: string };

/** How long a deal still runs and how many are left. The end is real, so it is told exactly as well. */
export function useDealLabels() {
  const t = useTranslations("catalog.deal");
  const locale = useLocale();
  return ({ ends_at, items_left }: DealView): DealLabels => ({
    endsAt: Date.parse(ends_at),
    said: t("ends", { moment: formatMoment(ends_at, locale) }),
    left: t("left", { count: items_left }),
    dayUnit: t("day_unit"),
  });
}
