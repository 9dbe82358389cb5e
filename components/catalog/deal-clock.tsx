import { useLocale, useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icon";
import type { DealView } from "@/lib/catalog/contract";
import { formatMoment } from "@/lib/format";
import { DealCountdown } from "./deal-countdown";

/** How long a deal still runs and how many are left at its price. The end is real, so it is told exactly as well. */
export function DealClock({ deal }: { deal: DealView }) {
  const t = useTranslations("catalog.deal");
  const said = t("ends", { moment: formatMoment(deal.ends_at, useLocale()) });
  return (
    <span className="flex flex-wrap items-center gap-x-3 text-warn">
      <span className="inline-flex items-center gap-1.5">
        <Icon name="clock" size={16} />
        <DealCountdown endsAt={Date.parse(deal.ends_at)} dayUnit={t("day_unit")} said={said} />
      </span>
      <span className="figures">{t("left", { count: deal.items_left })}</span>
    </span>
  );
}
