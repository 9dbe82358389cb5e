import { AgentSales } from "@/components/agents/console/agent-sales";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { SourcesScreen } from "@/components/tracking/console/sources-screen";
import { listAgentSales } from "@/lib/agents/insight/list-agent-sales";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { staff } from "@/lib/staff/rules";
import { SourcesPageInput } from "@/lib/tracking/insight/contract";
import { getSources } from "@/lib/tracking/insight/get-sources";

const ACCESS = staff("insight.read");
const PATH = "/console/insight";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.insight" }))("title"),
  );

export default async function InsightPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const { values, list } = await readConsoleList(props, page, PATH, SourcesPageInput, getSources);
  return (
    <>
      <SourcesScreen locale={page.locale} values={values} {...list} />
      <AgentSales locale={page.locale} {...(await listAgentSales({ days: list.days }))} />
    </>
  );
}
