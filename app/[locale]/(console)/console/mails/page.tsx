import { ConsoleMails } from "@/components/notifications/console/mail-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleMailsInput } from "@/lib/notifications/console/contract";
import { listConsoleMails } from "@/lib/notifications/console/list-console-mails";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";

const { metadata, page } = staffListPage({
  name: "mails",
  path: "/console/mails",
  title: "console.mails.title",
  access: staff("mails.read"),
  input: ConsoleMailsInput,
  read: (input) => listConsoleMails(input),
  screen: ConsoleMails,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
