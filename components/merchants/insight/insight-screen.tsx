import { BarChart } from "@/components/console/chart-bars";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { RecordSection, RecordTable } from "@/components/console/record";
import { StateTabs } from "@/components/console/state-tabs";
import type {
  PlanDays,
  PlanDemand,
  PlanDemandList,
  PlanFigures,
  PlanFiguresList,
  ProductSearches,
} from "@/lib/merchants/insight/contract";
import { INSIGHT_DAYS, MIN_HISTORY_DAYS } from "@/lib/merchants/insight/rules";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import type { Locale } from "@/lib/platform/i18n/locales";

type Props = {
  locale: Locale;
  home: string;
  days: number;
  figures: PlanFiguresList;
  demand: PlanDemandList;
  searches: ProductSearches;
  /** the plan whose days are drawn; null without plans */
  plan: PlanDays | null;
};

/** What happens around a merchant's products: interest, sales, demand and a forecast. */
export async function InsightScreen({ locale, home, days, figures, demand, searches, plan }: Props) {
  const t = await consoleTranslations({ locale, namespace: "console.merchant_insight" });
  const path = `${home}/insight`;
  const whole = new Intl.NumberFormat(locale);
  const tenth = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const name = (row: PlanFigures | PlanDemand) => (
    <ConsoleLink href={`${path}?days=${days}&vip_id=${row.vip_id}`} className="text-link">
      {row.product_name} · {row.vip_type}
    </ConsoleLink>
  );
  const next = figures.next_cursor && `${path}?days=${days}&cursor=${figures.next_cursor}`;
  return (
    <>
      <ConsoleHeader title={t("title")} lead={t("lead")}>
        <StateTabs
          label={t("period")}
          tabs={INSIGHT_DAYS.map((count) => ({
            value: String(count),
            label: t("days", { count }),
            href: `${path}?days=${count}`,
          }))}
          current={String(days)}
        />
      </ConsoleHeader>
      {plan && <PlanCharts locale={locale} plan={plan} />}
      <RecordSection title={t("plans")}>
        <RecordTable
          label={t("plans")}
          columns={[
            { name: t("plan"), cell: name },
            { name: t("views"), end: true, cell: ({ views }) => whole.format(views) },
            { name: t("carts"), end: true, cell: ({ carts }) => whole.format(carts) },
            { name: t("paid"), end: true, cell: ({ paid }) => whole.format(paid) },
          ]}
          rows={figures.items}
          rowId={({ vip_id }) => String(vip_id)}
          empty={t("no_plans")}
        />
      </RecordSection>
      <RecordSection title={t("demand")}>
        <p className="max-w-text pb-3 text-quiet">{t("demand_lead")}</p>
        <RecordTable
          label={t("demand")}
          columns={[
            { name: t("plan"), cell: name },
            { name: t("available"), end: true, cell: ({ available }) => whole.format(available) },
            { name: t("waiting"), end: true, cell: ({ waiting }) => whole.format(waiting) },
            {
              name: t("cover"),
              end: true,
              cell: ({ cover }) => (cover === null ? "–" : t("cover_days", { count: cover })),
            },
            {
              name: t("expected"),
              end: true,
              cell: ({ history_days, expected, low, high }) =>
                history_days < MIN_HISTORY_DAYS ? (
                  <span className="text-13 text-quiet">{t("too_early", { count: history_days })}</span>
                ) : (
                  <>
                    {tenth.format(expected)}
                    <span className="block text-13 text-quiet">{`${tenth.format(low)} – ${tenth.format(high)}`}</span>
                  </>
                ),
            },
            {
              name: t("suggestion"),
              end: true,
              cell: ({ history_days, suggestion, suggestion_low, suggestion_high }) => (
                <>
                  <strong>{whole.format(suggestion)}</strong>
                  {history_days >= MIN_HISTORY_DAYS && (
                    <span className="block text-13 text-quiet">{`${whole.format(suggestion_low)} – ${whole.format(suggestion_high)}`}</span>
                  )}
                </>
              ),
            },
          ]}
          rows={demand.items}
          rowId={({ vip_id }) => String(vip_id)}
          empty={t("no_plans")}
        />
        {next && (
          <p className="pt-2">
            <ConsoleLink href={next} className="text-link inline-flex min-h-11 items-center">
              {t("next")}
            </ConsoleLink>
          </p>
        )}
      </RecordSection>
      <RecordSection title={t("searches")}>
        <p className="max-w-text pb-3 text-quiet">{t("searches_lead")}</p>
        <RecordTable
          label={t("searches")}
          columns={[
            { name: t("search"), cell: ({ content }) => content },
            { name: t("product"), cell: ({ product_name }) => product_name },
            { name: t("count"), end: true, cell: ({ searches: count }) => whole.format(count) },
            { name: t("place"), end: true, cell: ({ place }) => whole.format(place) },
          ]}
          rows={searches.items}
          rowId={({ product_id, content }) => `${product_id} ${content}`}
          empty={t("no_searches")}
        />
      </RecordSection>
    </>
  );
}

async function PlanCharts({ locale, plan }: { locale: Locale; plan: PlanDays }) {
  const t = await consoleTranslations({ locale, namespace: "console.merchant_insight" });
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const label = (text: string) => day.format(new Date(`${text}T00:00:00Z`));
  const sum = (values: number[]) => whole.format(values.reduce((total, value) => total + value, 0));
  const labels = (value: string) => ({ table: t("as_table"), label: t("day"), value, none: "–" });
  const figures = ["views", "carts", "paid"] as const;
  return (
    <RecordSection title={`${plan.product_name} · ${plan.vip_type}`}>
      <div className="grid gap-x-10 gap-y-8 min-[900px]:grid-cols-2">
        {figures.map((figure) => (
          <BarChart
            key={figure}
            title={t(figure)}
            total={sum(plan.days.map((row) => row[figure]))}
            points={plan.days.map((row) => ({ label: label(row.day), value: row[figure] }))}
            format={(value) => whole.format(value)}
            whole
            labels={labels(t(figure))}
          />
        ))}
        {plan.history_days < MIN_HISTORY_DAYS ? (
          <p className="text-quiet">
            <span className="block font-medium text-ink">{t("forecast")}</span>
            {t("too_early", { count: plan.history_days })}
          </p>
        ) : (
          <BarChart
            title={t("forecast")}
            total={sum(plan.forecast.map(({ expected }) => expected))}
            points={plan.forecast.map((row) => ({ label: label(row.day), value: row.expected }))}
            format={(value) => whole.format(value)}
            labels={labels(t("forecast"))}
          />
        )}
      </div>
    </RecordSection>
  );
}
