import { ConsoleMails } from "@/components/notifications/console/mail-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ListTools } from "@/components/staff/list-tools";
import { ConsoleMailsInput } from "@/lib/notifications/console/contract";
import { listConsoleMails } from "@/lib/notifications/console/list-console-mails";
import { mayStaff } from "@/lib/platform/auth/permissions";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { staff } from "@/lib/staff/rules";
import { listViews } from "@/lib/staff/views/list-views";

const ACCESS = staff("mails.read");
const PATH = "/console/mails";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.mails" }))("title"),
  );

export default async function ConsoleMailsPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const { values, list } = await readConsoleList(props, page, PATH, ConsoleMailsInput, (input) =>
    listConsoleMails(input),
  );
  const { items: views } = await listViews(page.viewer, "mails");
  const exports = mayStaff(page.viewer.staff.roles, "exports.persons");
  return (
    <ConsoleMails
      list={list}
      values={values}
      mayResend={mayStaff(page.viewer.staff.roles, "mails.resend")}
      tools={<ListTools list="mails" values={values} views={views} exports={exports} />}
    />
  );
}
