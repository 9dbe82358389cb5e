import { StockScreen } from "@/components/merchants/keys/stock-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { MerchantStockInput } from "@/lib/merchants/key-files/contract";
import { listMerchantStock } from "@/lib/merchants/key-files/list-merchant-stock";
import { merchant } from "@/lib/merchants/rules";
import { type MerchantProps, merchantList, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("keys.read");

export const generateMetadata = merchantTitle(ACCESS, "console.merchant_keys.title");

export default async function MerchantStockPage(props: MerchantProps) {
  const page = await merchantList(props, ACCESS, "/keys", MerchantStockInput, listMerchantStock);
  if (!page) return <NotFoundScreen />;
  const { viewer, list, values } = page;
  return <StockScreen handle={viewer.merchant.handle} list={list} values={values} />;
}
