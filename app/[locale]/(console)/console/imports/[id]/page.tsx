import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ImportRecord } from "@/components/staff/imports/import-run";
import { isShopError } from "@/lib/platform/errors";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { respondNotFound } from "@/lib/platform/pages/page";
import { getImport } from "@/lib/staff/imports/queries";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("imports.read");
type Props = ConsoleProps<"id">;

export const generateMetadata = (props: Props) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.imports" }))("title"),
  );

export default async function ConsoleImportPage(props: Props) {
  const { id } = await props.params;
  const page = await consolePage(props, ACCESS, `/console/imports/${encodeURIComponent(id)}`);
  if (!page) return <NotFoundScreen />;
  const run = await getImport(page.viewer, id).catch((error: unknown) => {
    if (!isShopError(error, "import_unknown")) throw error;
  });
  if (!run) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  return <ImportRecord run={run} />;
}
