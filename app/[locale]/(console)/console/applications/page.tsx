import { ConsoleApplications } from "@/components/merchants/console/application-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ListTools } from "@/components/staff/list-tools";
import { ConsoleApplicationsInput } from "@/lib/merchants/console/contract";
import { listConsoleApplications } from "@/lib/merchants/console/list-console-applications";
import { mayStaff } from "@/lib/platform/auth/permissions";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { staff } from "@/lib/staff/rules";
import { listViews } from "@/lib/staff/views/list-views";

const ACCESS = staff("applications.read");
const PATH = "/console/applications";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.applications" }))("title"),
  );

export default async function ConsoleApplicationsPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const { values, list } = await readConsoleList(props, page, PATH, ConsoleApplicationsInput, (input) =>
    listConsoleApplications(input),
  );
  const { items: views } = await listViews(page.viewer, "applications");
  const exports = mayStaff(page.viewer.staff.roles, "exports.persons");
  return (
    <ConsoleApplications
      list={list}
      values={values}
      tools={<ListTools list="applications" values={values} views={views} exports={exports} />}
    />
  );
}
