import { RecordSection, RecordTable } from "@/components/console/record";
import type { AgentSalesList } from "@/lib/agents/insight/contract";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import type { Locale } from "@/lib/platform/i18n/locales";
import { formatPrice, toCents } from "@/lib/platform/money";

/** The sales through assistants, below the sources. */
export async function AgentSales({ locale, items }: { locale: Locale } & AgentSalesList) {
  const t = await consoleTranslations({ locale, namespace: "console.agent_sales" });
  return (
    <RecordSection title={t("title")}>
      <RecordTable
        label={t("title")}
        rows={items}
        rowId={({ agent }) => agent}
        empty={t("none")}
        columns={[
          {
            name: t("agent"),
            cell: ({ agent, label }) => (
              <span className="wrap-anywhere">{label ? `${label} (${agent})` : agent}</span>
            ),
          },
          { name: t("orders"), end: true, cell: ({ orders }) => String(orders) },
          { name: t("revenue"), end: true, cell: ({ revenue }) => formatPrice(toCents(revenue), locale) },
        ]}
      />
      <p className="pt-2 text-13 text-quiet">{t("note")}</p>
    </RecordSection>
  );
}
