import { ConsoleDisputes } from "@/components/orders/console/dispute-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ListTools } from "@/components/staff/list-tools";
import { ConsoleDisputesInput } from "@/lib/orders/console/contract-disputes";
import { listConsoleDisputes } from "@/lib/orders/console/list-console-disputes";
import { mayStaff } from "@/lib/platform/auth/permissions";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { staff } from "@/lib/staff/rules";
import { listViews } from "@/lib/staff/views/list-views";

const ACCESS = staff("disputes.read");
const PATH = "/console/disputes";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.disputes" }))("title"),
  );

export default async function ConsoleDisputesPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const { values, list } = await readConsoleList(
    props,
    page,
    PATH,
    ConsoleDisputesInput,
    listConsoleDisputes,
  );
  const { items: views } = await listViews(page.viewer, "disputes");
  const exports = mayStaff(page.viewer.staff.roles, "exports.persons");
  return (
    <ConsoleDisputes
      list={list}
      values={values}
      state={ConsoleDisputesInput.parse(values).state}
      mayTake={mayStaff(page.viewer.staff.roles, "disputes.evidence")}
      tools={<ListTools list="disputes" values={values} views={views} exports={exports} />}
    />
  );
}
