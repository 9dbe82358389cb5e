import { ConsoleMerchants } from "@/components/merchants/console/merchant-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ConsoleMerchantsInput } from "@/lib/merchants/console/contract-merchants";
import { listConsoleMerchants } from "@/lib/merchants/console/list-console-merchants";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("merchants.read");
const PATH = "/console/merchants";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.merchants" }))("title"),
  );

export default async function ConsoleMerchantsPage(props: ConsoleProps) {
  const page = await consolePage(props, ACCESS, PATH);
  if (!page) return <NotFoundScreen />;
  const { values, list } = await readConsoleList(props, page, PATH, ConsoleMerchantsInput, (input) =>
    listConsoleMerchants(input),
  );
  return <ConsoleMerchants list={list} values={values} />;
}
