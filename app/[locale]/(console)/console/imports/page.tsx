import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ImportsScreen } from "@/components/staff/imports/imports-screen";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { ImportsInput } from "@/lib/staff/imports/contract";
import { importKindsOf, listImports } from "@/lib/staff/imports/list-imports";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("imports.read");
const PATH = "/console/imports";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.imports" }))("title"),
  );

export default async function ConsoleImportsPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const { values, list } = await readConsoleList(props, page, PATH, ImportsInput, (input) =>
    listImports(page.viewer, input),
  );
  return <ImportsScreen kinds={importKindsOf(page.viewer)} list={list} values={values} />;
}
