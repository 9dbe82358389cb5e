import { ConsoleChanges } from "@/components/merchants/console/change-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleChangesInput } from "@/lib/merchants/changes/contract-console";
import { listConsoleChanges } from "@/lib/merchants/changes/list-console-changes";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("changes.decide");
const PATH = "/console/changes";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.changes" }))("title"),
  );

export default async function ConsoleChangesPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const { values, list } = await readConsoleList(props, page, PATH, ConsoleChangesInput, (input) =>
    listConsoleChanges(input, page.locale),
  );
  return <ConsoleChanges list={list} values={values} />;
}
