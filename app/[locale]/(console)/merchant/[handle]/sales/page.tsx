import { MerchantSales } from "@/components/merchants/sales/sale-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { merchant } from "@/lib/merchants/rules";
import { MerchantSalesInput } from "@/lib/merchants/sales/contract";
import { listMerchantSales } from "@/lib/merchants/sales/queries";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { type MerchantProps, merchantMetadata, merchantPage } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("sales.read");

export const generateMetadata = (props: MerchantProps) =>
  merchantMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.merchant_sales" }))("title"),
  );

export default async function MerchantSalesPage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { viewer, locale } = page;
  const { handle } = viewer.merchant;
  const home = `/merchant/${handle}`;
  const { values, list } = await readConsoleList(props, page, `${home}/sales`, MerchantSalesInput, (input) =>
    listMerchantSales(viewer, input, locale),
  );
  return <MerchantSales home={home} handle={handle} list={list} values={values} />;
}
