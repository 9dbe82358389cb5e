import { ConsoleReplacements } from "@/components/delivery/console/replacement-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ListTools } from "@/components/staff/list-tools";
import { ConsoleReplacementsInput } from "@/lib/delivery/console/contract-replacements";
import { listConsoleReplacements } from "@/lib/delivery/console/list-console-replacements";
import { mayStaff } from "@/lib/platform/auth/permissions";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { staff } from "@/lib/staff/rules";
import { listViews } from "@/lib/staff/views/list-views";

const ACCESS = staff("replacements.decide");
const PATH = "/console/replacements";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.replacements" }))("title"),
  );

export default async function ConsoleReplacementsPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const { values, list } = await readConsoleList(props, page, PATH, ConsoleReplacementsInput, (input) =>
    listConsoleReplacements(page.viewer, input, page.locale),
  );
  const { items: views } = await listViews(page.viewer, "replacements");
  const exports = mayStaff(page.viewer.staff.roles, "exports.persons");
  return (
    <ConsoleReplacements
      list={list}
      values={values}
      state={ConsoleReplacementsInput.parse(values).state}
      mayDecide={mayStaff(page.viewer.staff.roles, "replacements.decide")}
      tools={<ListTools list="replacements" values={values} views={views} exports={exports} />}
      mayWithdraw={mayStaff(page.viewer.staff.roles, "stock.manage")}
    />
  );
}
