import { ConsoleChanges } from "@/components/merchants/console/change-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleChangesInput } from "@/lib/merchants/changes/contract-console";
import { listConsoleChanges } from "@/lib/merchants/changes/list-console-changes";
import { staffListPage } from "@/lib/staff/lists/staff-list-page";
import { staff } from "@/lib/staff/rules";

const { metadata, page } = staffListPage({
  name: "changes",
  path: "/console/changes",
  title: "console.changes.title",
  access: staff("changes.decide"),
  input: ConsoleChangesInput,
  read: (input, { locale }) => listConsoleChanges(input, locale),
  screen: ConsoleChanges,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
