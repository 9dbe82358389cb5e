import { StateTabs } from "@/components/console/state-tabs";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import type { Locale } from "@/lib/platform/i18n/locales";

/** The reports of insight: sources, sales, and searches that find nothing. */
export async function ReportTabs({
  locale,
  current,
}: {
  locale: Locale;
  current: "sources" | "sales" | "searches";
}) {
  const t = await consoleTranslations({ locale, namespace: "console.insight" });
  return (
    <StateTabs
      label={t("reports")}
      current={current}
      tabs={[
        { value: "sources", label: t("by_source"), href: "/console/insight" },
        { value: "sales", label: t("sales"), href: "/console/insight/sales" },
        { value: "searches", label: t("empty_searches"), href: "/console/insight/searches" },
      ]}
    />
  );
}
