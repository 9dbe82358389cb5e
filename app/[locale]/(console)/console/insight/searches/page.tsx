import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { EmptySearchesScreen } from "@/components/tracking/console/empty-searches-screen";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { staff } from "@/lib/staff/rules";
import { EmptySearchesInput } from "@/lib/tracking/insight/contract";
import { listEmptySearches } from "@/lib/tracking/insight/list-empty-searches";

const ACCESS = staff("insight.read");
const PATH = "/console/insight/searches";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.insight" }))("searches_title"),
  );

export default async function EmptySearchesPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const { values, list } = await readConsoleList(props, page, PATH, EmptySearchesInput, (input) =>
    listEmptySearches(input),
  );
  return <EmptySearchesScreen locale={page.locale} values={values} list={list} />;
}
