import { MerchantProducts } from "@/components/merchants/changes/product-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { listCategoryNames } from "@/lib/catalog/console/list-edited-categories";
import { MerchantProductsInput } from "@/lib/merchants/changes/contract";
import { listMerchantProducts } from "@/lib/merchants/changes/list-merchant-products";
import { mayChange, merchant } from "@/lib/merchants/rules";
import { merchantListPage } from "@/lib/platform/pages/merchant-console";

const { metadata, page } = merchantListPage({
  path: "/products",
  title: "console.merchant_changes.products",
  access: merchant("products.read"),
  input: MerchantProductsInput,
  read: listMerchantProducts,
  more: async ({ viewer, locale }) => ({
    categories: await listCategoryNames(locale),
    mayWrite: mayChange(viewer, "products.write"),
  }),
  screen: MerchantProducts,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
