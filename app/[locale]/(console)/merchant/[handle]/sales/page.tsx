import { MerchantSales } from "@/components/merchants/sales/sale-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { merchant } from "@/lib/merchants/rules";
import { MerchantSalesInput } from "@/lib/merchants/sales/contract";
import { listMerchantSales } from "@/lib/merchants/sales/list-merchant-sales";
import { merchantListPage } from "@/lib/platform/pages/merchant-console";

const { metadata, page } = merchantListPage({
  path: "/sales",
  title: "console.merchant_sales.title",
  access: merchant("sales.read"),
  input: MerchantSalesInput,
  read: listMerchantSales,
  screen: MerchantSales,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
