import { KeyViewTabs } from "@/components/delivery/console/key-tabs";
import { ConsoleStockScreen } from "@/components/delivery/console/stock-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ListTools } from "@/components/staff/list-tools";
import { ConsoleStockInput } from "@/lib/delivery/console/contract";
import { listConsoleStock } from "@/lib/delivery/console/list-console-stock";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { staff } from "@/lib/staff/rules";
import { listViews } from "@/lib/staff/views/list-views";

const ACCESS = staff("products.read");
const PATH = "/console/keys";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.keys" }))("title"),
  );

export default async function ConsoleStockScreenPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const { values, list } = await readConsoleList(props, page, PATH, ConsoleStockInput, (input) =>
    listConsoleStock(input, page.locale),
  );
  const { items: views } = await listViews(page.viewer, "keys");
  return (
    <ConsoleStockScreen
      list={list}
      values={values}
      tools={
        <>
          <KeyViewTabs current="stock" />
          <ListTools list="keys" values={values} views={views} exports />
        </>
      }
    />
  );
}
