import type { ReactNode } from "react";
import { BarChart } from "@/components/console/chart-bars";
import type { ChartPoint } from "@/components/console/chart-figure";
import { LineChart } from "@/components/console/chart-line";
import { FigureRow } from "@/components/console/figure-row";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { classNames } from "@/components/ui/class-names";
import { type DayFigures, FIGURE_DAYS, type FigureDays } from "@/lib/orders/insight/contract";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import type { Locale } from "@/lib/platform/i18n/locales";
import { formatPrice } from "@/lib/platform/money";
import { compareFigures } from "@/lib/staff/today/rules-figures";
import { changeText, durationText, figureText } from "./figure-texts";

/** `figures`: of twice the days, the oldest first. `tabs`: the other reports of insight. */
type Props = { locale: Locale; figures: DayFigures[]; days: FigureDays; tabs: ReactNode };

/** The figures of the shop by day, and each against as many days before. */
export async function SalesScreen({ locale, figures, days, tabs }: Props) {
  const t = await consoleTranslations({ locale, namespace: "console.today" });
  return (
    <>
      <ConsoleHeader title={t("figures")} lead={t("figures_lead")}>
        <nav aria-label={t("period")} className="flex gap-1">
          {FIGURE_DAYS.map((choice) => (
            <ConsoleLink
              key={choice}
              href={`/console/insight/sales?days=${choice}`}
              aria-current={choice === days ? "page" : undefined}
              className={classNames(
                "inline-flex min-h-11 items-center rounded-control px-3 font-medium hover:bg-tint",
                choice === days && "bg-tint",
              )}
            >
              {t("days", { count: choice })}
            </ConsoleLink>
          ))}
        </nav>
      </ConsoleHeader>
      <div className="pb-6">{tabs}</div>
      <FigureRow
        label={t("against_before", { count: days })}
        figures={compareFigures(figures, days).map(({ name, value, before }) => {
          const change = changeText(value, before, locale);
          return {
            name: t(name),
            value: figureText(name, value, locale),
            change: t("before", { value: figureText(name, before, locale), change: change ?? "–" }),
          };
        })}
      />
      <Charts locale={locale} figures={figures.slice(-days)} />
    </>
  );
}

async function Charts({ locale, figures }: { locale: Locale; figures: DayFigures[] }) {
  const t = await consoleTranslations({ locale, namespace: "console.today" });
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });
  const whole = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const pointsOf = (value: (row: DayFigures) => number | null): ChartPoint[] =>
    figures.map((row) => ({ label: day.format(new Date(`${row.day}T00:00:00Z`)), value: value(row) }));
  const labels = (value: string) => ({ table: t("as_table"), label: t("day"), value, none: "–" });
  if (figures.every(({ orders, refundedCents, stockOuts }) => orders + refundedCents + stockOuts === 0))
    return <p className="text-quiet">{t("no_figures")}</p>;
  return (
    <div className="grid gap-x-10 gap-y-8 min-[900px]:grid-cols-2">
      <BarChart
        title={t("revenue")}
        points={pointsOf((row) => row.revenueCents)}
        format={(cents) => formatPrice(cents, locale)}
        whole
        labels={labels(t("revenue"))}
      />
      <BarChart
        title={t("orders")}
        points={pointsOf((row) => row.orders)}
        format={(value) => whole.format(value)}
        whole
        labels={labels(t("orders"))}
      />
      <LineChart
        title={t("refund_share")}
        points={pointsOf((row) => row.refundShare)}
        format={(value) => percent.format(value)}
        labels={labels(t("refund_share"))}
      />
      {figures.some(({ deliverySeconds }) => deliverySeconds !== null) && (
        <LineChart
          title={t("paid_to_key")}
          points={pointsOf((row) => row.deliverySeconds)}
          format={(value) => durationText(value, locale)}
          whole
          labels={labels(t("paid_to_key"))}
        />
      )}
      <BarChart
        title={t("stock_outs")}
        points={pointsOf((row) => row.stockOuts)}
        format={(value) => whole.format(value)}
        whole
        labels={labels(t("stock_outs"))}
      />
    </div>
  );
}
