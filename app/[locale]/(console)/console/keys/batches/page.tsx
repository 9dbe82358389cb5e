import { KeyViewTabs } from "@/components/delivery/console/key-tabs";
import { ConsoleBatchListScreen } from "@/components/merchants/key-batches/batch-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleBatchesInput } from "@/lib/merchants/key-files/contract";
import { listConsoleBatches } from "@/lib/merchants/key-files/list-key-batches";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("products.read");
const PATH = "/console/keys/batches";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.key_batches" }))("title"),
  );

export default async function ConsoleBatchesPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const { values, list } = await readConsoleList(props, page, PATH, ConsoleBatchesInput, listConsoleBatches);
  return <ConsoleBatchListScreen list={list} values={values} tools={<KeyViewTabs current="batches" />} />;
}
