import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ImportRecord } from "@/components/staff/imports/import-run";
import { type ConsoleProps, consoleRecord } from "@/lib/platform/pages/console";
import { getImport } from "@/lib/staff/imports/list-imports";
import { staff } from "@/lib/staff/rules";

const RECORD = consoleRecord(staff("imports.read"), {
  path: "/console/imports/[id]",
  title: "console.imports.title",
  read: (id, { viewer }) => getImport(viewer, id),
  unknown: "import_unknown",
});

export const generateMetadata = RECORD.metadata;

export default async function ConsoleImportPage(props: ConsoleProps<"id">) {
  const page = await RECORD.page(props);
  if (!page) return <NotFoundScreen />;
  return <ImportRecord run={page.found} />;
}
