import { type FilterValues, filterQuery } from "@/components/console/list/filter-values";
import { Pager } from "@/components/console/list/pager";
import { ConsoleHeader } from "@/components/console/page-header";
import { RecordSection, RecordTable } from "@/components/console/record";
import { StateTabs } from "@/components/console/state-tabs";
import { ShortTime } from "@/components/console/time";
import { ExportButton } from "@/components/staff/staff-list";
import { ReportTabs } from "@/components/tracking/console/report-tabs";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { HTML_LANG, LANGUAGE_NAMES, LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import type { EmptySearchList } from "@/lib/tracking/insight/contract";

const PATH = "/console/insight/searches";
const ALL = "all";

type Props = { locale: Locale; values: FilterValues; list: EmptySearchList };

/** What people search and do not find, by the language of the page. */
export async function EmptySearchesScreen({ locale, values, list }: Props) {
  const t = await consoleTranslations({ locale, namespace: "console.insight" });
  const whole = new Intl.NumberFormat(locale);
  const filters: FilterValues = values.locale ? { locale: values.locale } : {};
  const query = filterQuery(filters);
  const isFirst = !values.cursor;
  return (
    <>
      <ConsoleHeader title={t("searches_title")} lead={t("searches_lead")}>
        <ReportTabs locale={locale} current="searches" />
        <div className="flex flex-wrap items-center gap-2">
          <StateTabs
            label={t("language")}
            tabs={[
              { value: ALL, label: t("all_languages"), href: PATH },
              ...LOCALES.map((language) => ({
                value: language,
                label: LANGUAGE_NAMES[language],
                href: `${PATH}${filterQuery({ locale: language })}`,
              })),
            ]}
            current={values.locale ?? ALL}
          />
          <ExportButton list="searches" values={filters} />
        </div>
      </ConsoleHeader>
      <RecordSection title={t("searches_title")}>
        <RecordTable
          label={t("searches_title")}
          columns={[
            {
              name: t("search"),
              cell: ({ content, locale: language }) => (
                <span lang={HTML_LANG[language]} className="wrap-anywhere">
                  {content}
                </span>
              ),
            },
            { name: t("count"), end: true, cell: ({ searches }) => whole.format(searches) },
            { name: t("last"), cell: ({ last_at }) => <ShortTime at={last_at} /> },
            { name: t("locale"), cell: ({ locale: language }) => LANGUAGE_NAMES[language] },
          ]}
          rows={list.items}
          rowId={({ locale: language, content }) => `${language} ${content}`}
          empty={t("no_searches")}
        />
        <Pager
          total={list.total}
          first={isFirst ? undefined : PATH + query}
          next={
            list.next_cursor ? `${PATH}${query}${query ? "&" : "?"}cursor=${list.next_cursor}` : undefined
          }
        />
      </RecordSection>
    </>
  );
}
