import { ChangeRecord } from "@/components/merchants/console/change-page";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { getConsoleChange } from "@/lib/merchants/changes/list-console-changes";
import { type ConsoleProps, consoleRecord } from "@/lib/platform/pages/console";
import { staff } from "@/lib/staff/rules";

const RECORD = consoleRecord(staff("changes.decide"), {
  path: "/console/changes/[id]",
  title: "console.changes.title",
  read: (id, { locale }) => getConsoleChange(id, locale),
  unknown: "change_unknown",
});

export const generateMetadata = RECORD.metadata;

export default async function ConsoleChangePage(props: ConsoleProps<"id">) {
  const page = await RECORD.page(props);
  if (!page) return <NotFoundScreen />;
  return <ChangeRecord change={page.found} />;
}
