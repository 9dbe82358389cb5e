import { FigureRow } from "@/components/console/figure-row";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { WeekFigure } from "@/lib/staff/today/rules-figures";
import { changeText, figureText } from "./figure-texts";

/** Five figures of the last seven days, each against the week before. */
export async function WeekFigures({ locale, figures }: { locale: Locale; figures: readonly WeekFigure[] }) {
  const t = await consoleTranslations({ locale, namespace: "console.today" });
  return (
    <FigureRow
      label={t("week")}
      figures={figures.map(({ name, value, before, days }) => {
        const change = changeText(value, before, locale);
        return {
          name: t(name),
          value: figureText(name, value, locale),
          change: change ? t("against_week", { change }) : t("no_week_before"),
          days,
        };
      })}
    />
  );
}
