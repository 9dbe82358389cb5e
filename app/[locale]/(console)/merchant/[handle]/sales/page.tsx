import { MerchantSales } from "@/components/merchants/sales/sale-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { merchant } from "@/lib/merchants/rules";
import { MerchantSalesInput } from "@/lib/merchants/sales/contract";
import { listMerchantSales } from "@/lib/merchants/sales/list-merchant-sales";
import { type MerchantProps, merchantList, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("sales.read");

export const generateMetadata = merchantTitle(ACCESS, "console.merchant_sales.title");

export default async function MerchantSalesPage(props: MerchantProps) {
  const page = await merchantList(props, ACCESS, "/sales", MerchantSalesInput, listMerchantSales);
  if (!page) return <NotFoundScreen />;
  const { viewer, path, list, values } = page;
  return <MerchantSales path={path} list={list} values={values} handle={viewer.merchant.handle} />;
}
