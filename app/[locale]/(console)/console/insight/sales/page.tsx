import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { SalesScreen } from "@/components/staff/today/sales-screen";
import { ReportTabs } from "@/components/tracking/console/report-tabs";
import { listDayFigures } from "@/lib/orders/insight/list-day-figures";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage, queryValues } from "@/lib/platform/pages/console";
import { staff } from "@/lib/staff/rules";
import { TodayInput } from "@/lib/staff/today/contract";

const ACCESS = staff("insight.read");

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.today" }))("figures"),
  );

export default async function SalesPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, "/console/insight/sales");
  if (!page) return <NotFoundScreen />;
  const values = TodayInput.safeParse(await queryValues(props.searchParams));
  const { days } = values.success ? values.data : TodayInput.parse({});
  const { locale } = page;
  const figures = await listDayFigures(2 * days);
  return (
    <SalesScreen
      locale={locale}
      figures={figures}
      days={days}
      tabs={<ReportTabs locale={locale} current="sales" />}
    />
  );
}
