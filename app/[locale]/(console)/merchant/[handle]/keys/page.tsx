import { StockScreen } from "@/components/merchants/keys/stock-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { MerchantStockInput } from "@/lib/merchants/key-files/contract";
import { listMerchantStock } from "@/lib/merchants/key-files/list-merchant-stock";
import { merchant } from "@/lib/merchants/rules";
import { merchantListPage } from "@/lib/platform/pages/merchant-console";

const { metadata, page } = merchantListPage({
  path: "/keys",
  title: "console.merchant_keys.title",
  access: merchant("keys.read"),
  input: MerchantStockInput,
  read: listMerchantStock,
  screen: StockScreen,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
