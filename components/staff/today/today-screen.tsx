import { BarChart } from "@/components/console/chart-bars";
import type { ChartPoint } from "@/components/console/chart-figure";
import { LineChart } from "@/components/console/chart-line";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { QueueCard } from "@/components/console/queue-card";
import { Age } from "@/components/console/time";
import { classNames } from "@/components/ui/class-names";
import { FIGURE_DAYS, type FigureDays } from "@/lib/orders/insight/contract";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import type { Locale } from "@/lib/platform/i18n/locales";
import { formatPrice, toCents } from "@/lib/platform/money";
import type { TodayFigures, TodayQueue } from "@/lib/staff/today/contract";

type Props = {
  locale: Locale;
  queues: (TodayQueue & { path: string })[];
  figures: TodayFigures[];
  days: FigureDays;
};

/** The first page of the console: what waits for the staff member, and the figures of the last days. */
export async function TodayScreen({ locale, queues, figures, days }: Props) {
  const t = await consoleTranslations({ locale, namespace: "console.today" });
  const waiting = queues.filter(({ count }) => count > 0);
  const empty = queues.filter(({ count }) => count === 0);
  return (
    <>
      <ConsoleHeader title={t("title")} />
      <section aria-label={t("queues")} className="pb-8">
        {waiting.length === 0 ? (
          <p className="rounded-control border border-hairline bg-raised px-4 py-8 text-center text-17">
            {t("nothing")}
          </p>
        ) : (
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] gap-3">
            {waiting.map(({ queue, count, more, oldest_at, path }) => (
              <li key={queue}>
                <QueueCard href={path} name={t(`queue.${queue}`)} count={more ? `${count}+` : String(count)}>
                  {oldest_at && (
                    <>
                      {t("oldest")} <Age at={oldest_at} />
                    </>
                  )}
                </QueueCard>
              </li>
            ))}
          </ul>
        )}
        {empty.length > 0 && (
          <p className="flex flex-wrap items-center gap-x-4 pt-3 text-quiet">
            {t("empty_queues")}
            {empty.map(({ queue, path }) => (
              <ConsoleLink key={queue} href={path} className="text-link inline-flex min-h-11 items-center">
                {t(`queue.${queue}`)}
              </ConsoleLink>
            ))}
          </p>
        )}
      </section>
      <section aria-labelledby="figures">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-hairline pt-5 pb-4">
          <h2 id="figures" className="text-21">
            {t("figures")}
          </h2>
          <nav aria-label={t("period")} className="flex gap-1">
            {FIGURE_DAYS.map((choice) => (
              <ConsoleLink
                key={choice}
                href={`/console?days=${choice}`}
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
        </div>
        <Charts locale={locale} figures={figures} />
      </section>
    </>
  );
}

const median = (values: number[]): number | null => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return sorted.length === 0 ? null : (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
};
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/** A duration in the largest unit that keeps it readable: 45 s, 12 min, 3.5 h. */
function duration(seconds: number, locale: Locale): string {
  const [size, unit] =
    seconds < 120 ? [1, "second"] : seconds < 7_200 ? [60, "minute"] : ([3_600, "hour"] as const);
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumFractionDigits: size === 3_600 ? 1 : 0,
  }).format(seconds / size);
}

async function Charts({ locale, figures }: { locale: Locale; figures: TodayFigures[] }) {
  const t = await consoleTranslations({ locale, namespace: "console.today" });
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });
  const whole = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const usd = (dollars: number) => formatPrice(toCents(dollars), locale);
  const pointsOf = (value: (row: TodayFigures) => number | null): ChartPoint[] =>
    figures.map((row) => ({ label: day.format(new Date(`${row.day}T00:00:00Z`)), value: value(row) }));
  const labels = (value: string) => ({ table: t("as_table"), label: t("day"), value, none: "–" });

  const revenue = sum(figures.map((row) => toCents(row.revenue)));
  const refunded = sum(figures.map((row) => toCents(row.refunded)));
  const typical = median(figures.flatMap((row) => row.delivery_seconds ?? []));
  if (figures.every(({ orders, refunded, stock_outs }) => orders + refunded + stock_outs === 0))
    return <p className="text-quiet">{t("no_figures")}</p>;
  return (
    <div className="grid gap-x-10 gap-y-8 min-[900px]:grid-cols-2">
      <BarChart
        title={t("revenue")}
        total={formatPrice(revenue, locale)}
        points={pointsOf((row) => row.revenue)}
        format={usd}
        labels={labels(t("revenue"))}
      />
      <BarChart
        title={t("orders")}
        total={whole.format(sum(figures.map((row) => row.orders)))}
        points={pointsOf((row) => row.orders)}
        format={(value) => whole.format(value)}
        whole
        labels={labels(t("orders"))}
      />
      <LineChart
        title={t("refund_share")}
        total={revenue > 0 ? percent.format(refunded / revenue) : "–"}
        points={pointsOf((row) => row.refund_share)}
        format={(value) => percent.format(value)}
        labels={labels(t("refund_share"))}
      />
      {typical !== null && (
        <LineChart
          title={t("paid_to_key")}
          total={duration(typical, locale)}
          points={pointsOf((row) => row.delivery_seconds)}
          format={(value) => duration(value, locale)}
          whole
          labels={labels(t("paid_to_key"))}
        />
      )}
      <BarChart
        title={t("stock_outs")}
        total={whole.format(sum(figures.map((row) => row.stock_outs)))}
        points={pointsOf((row) => row.stock_outs)}
        format={(value) => whole.format(value)}
        whole
        labels={labels(t("stock_outs"))}
      />
    </div>
  );
}
