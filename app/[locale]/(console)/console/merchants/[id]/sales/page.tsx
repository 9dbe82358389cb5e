import { MerchantSales } from "@/components/merchants/sales/sale-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { MerchantTabs } from "@/components/staff/merchants/merchant-tabs";
import { MerchantSalesInput } from "@/lib/merchants/sales/contract";
import { isShopError } from "@/lib/platform/errors";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type ConsoleProps, consoleMetadata, consolePage } from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { respondNotFound } from "@/lib/platform/pages/page";
import { findMerchantName, listConsoleSales } from "@/lib/staff/merchants/queries";
import { staff } from "@/lib/staff/rules";

const ACCESS = staff("merchants.read");
type Props = ConsoleProps<"id">;

export const generateMetadata = (props: Props) =>
  consoleMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.merchants" }))("tab.sales"),
  );

export default async function ConsoleMerchantSalesPage(props: Props) {
  const { id } = await props.params;
  const path = `/console/merchants/${encodeURIComponent(id)}/sales`;
  const page = await consolePage(props, ACCESS, path);
  if (!page) return <NotFoundScreen />;
  const title = await findMerchantName(id).catch((error: unknown) => {
    if (!isShopError(error, "merchant_unknown")) throw error;
  });
  if (title === undefined) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  const { values, list } = await readConsoleList(props, page, path, MerchantSalesInput, (input) =>
    listConsoleSales(id, input, page.locale),
  );
  return (
    <MerchantSales
      path={path}
      title={title}
      list={list}
      values={values}
      tools={<MerchantTabs id={id} current="sales" />}
    />
  );
}
