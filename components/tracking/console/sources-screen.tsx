import { BarChart } from "@/components/console/chart-bars";
import { ConsoleLink } from "@/components/console/link";
import { type FilterValues, filterQuery } from "@/components/console/list/filter-values";
import { Pager } from "@/components/console/list/pager";
import { ConsoleHeader } from "@/components/console/page-header";
import { RecordSection, RecordTable } from "@/components/console/record";
import { StateTabs } from "@/components/console/state-tabs";
import { ExportButton } from "@/components/staff/staff-list";
import { ReportTabs } from "@/components/tracking/console/report-tabs";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { SourceDays, SourceFigures, SourceList } from "@/lib/tracking/insight/contract";
import { INSIGHT_DAYS } from "@/lib/tracking/insight/rules";

const PATH = "/console/insight";

type Source = Pick<SourceDays, "kind" | "source">;
type Row = Source & Omit<SourceFigures, "kind" | "source">;
type Props = {
  locale: Locale;
  values: FilterValues;
  days: number;
  sources: SourceList;
  /** the days of the chosen source, or of all */
  chosen: SourceDays;
};

/** The query that chooses a source; nothing for all. */
const choiceOf = ({ kind, source }: Source) =>
  kind === "all" ? {} : source === null ? { kind } : { came_from: source };

/** The funnel of the shop by source: one source or all by day, and the sums of each. */
export async function SourcesScreen({ locale, values, days, sources, chosen }: Props) {
  const t = await consoleTranslations({ locale, namespace: "console.insight" });
  const whole = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const nameOf = ({ kind, source }: Source) => source ?? t(kind === "named" ? "source" : kind);
  const address = (query: FilterValues) => `${PATH}${filterQuery({ days: String(days), ...query })}`;
  const isFirst = !values.cursor;
  const rows: Row[] = [
    ...(isFirst ? [{ kind: "all" as const, source: null, ...sources.all }] : []),
    ...sources.items,
  ];
  const query = address(choiceOf(chosen));
  return (
    <>
      <ConsoleHeader title={t("title")} lead={t("lead")}>
        <ReportTabs locale={locale} current="sources" />
        <div className="flex flex-wrap items-center gap-2">
          <StateTabs
            label={t("period")}
            tabs={INSIGHT_DAYS.map((count) => ({
              value: String(count),
              label: t("days", { count }),
              href: `${PATH}${filterQuery({ ...choiceOf(chosen), days: String(count) })}`,
            }))}
            current={String(days)}
          />
          <ExportButton list="sources" values={{ days: String(days) }} />
        </div>
      </ConsoleHeader>
      <SourceCharts locale={locale} title={nameOf(chosen)} days={chosen.days} />
      <RecordSection title={t("sources")}>
        <RecordTable
          label={t("sources")}
          columns={[
            {
              name: t("source"),
              cell: (row: Row) => (
                <ConsoleLink href={address(choiceOf(row))} className="text-link wrap-anywhere">
                  {nameOf(row)}
                </ConsoleLink>
              ),
            },
            { name: t("visits"), end: true, cell: ({ visits }) => whole.format(visits) },
            { name: t("product_views"), end: true, cell: (row) => whole.format(row.product_views) },
            { name: t("carts"), end: true, cell: ({ carts }) => whole.format(carts) },
            { name: t("orders"), end: true, cell: ({ orders }) => whole.format(orders) },
            { name: t("paid"), end: true, cell: ({ paid }) => whole.format(paid) },
            {
              name: t("share"),
              end: true,
              cell: ({ paid, visits }) => (visits > 0 ? percent.format(paid / visits) : "–"),
            },
          ]}
          rows={isFirst && sources.items.length === 0 ? [] : rows}
          rowId={({ kind, source }) => `${kind} ${source ?? ""}`}
          empty={t("no_figures")}
        />
        <Pager
          total={sources.total}
          first={isFirst ? undefined : query}
          next={sources.next_cursor ? `${query}&cursor=${sources.next_cursor}` : undefined}
        />
      </RecordSection>
    </>
  );
}

async function SourceCharts({
  locale,
  title,
  days,
}: {
  locale: Locale;
  title: string;
  days: SourceDays["days"];
}) {
  const t = await consoleTranslations({ locale, namespace: "console.insight" });
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });
  const whole = new Intl.NumberFormat(locale);
  return (
    <RecordSection title={title}>
      <div className="grid gap-x-10 gap-y-8 min-[900px]:grid-cols-2">
        {(["visits", "product_views", "carts", "orders", "paid"] as const).map((figure) => (
          <BarChart
            key={figure}
            title={t(figure)}
            total={whole.format(days.reduce((sum, row) => sum + row[figure], 0))}
            points={days.map((row) => ({
              label: day.format(new Date(`${row.day}T00:00:00Z`)),
              value: row[figure],
            }))}
            format={(value) => whole.format(value)}
            whole
            labels={{ table: t("as_table"), label: t("day"), value: t(figure), none: "–" }}
          />
        ))}
      </div>
    </RecordSection>
  );
}
