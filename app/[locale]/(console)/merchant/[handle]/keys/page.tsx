import { StockScreen } from "@/components/merchants/keys/stock-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { MerchantStockInput } from "@/lib/merchants/key-files/contract";
import { listMerchantStock } from "@/lib/merchants/key-files/queries-stock";
import { merchant } from "@/lib/merchants/rules";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { type MerchantProps, merchantMetadata, merchantPage } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("keys.read");

export const generateMetadata = (props: MerchantProps) =>
  merchantMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.merchant_keys" }))("title"),
  );

export default async function MerchantStockPage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { handle } = page.viewer.merchant;
  const { values, list } = await readConsoleList(
    props,
    page,
    `/merchant/${handle}/keys`,
    MerchantStockInput,
    (input) => listMerchantStock(page.viewer, input, page.locale),
  );
  return <StockScreen handle={handle} list={list} values={values} />;
}
