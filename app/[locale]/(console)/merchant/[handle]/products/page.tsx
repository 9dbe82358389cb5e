import { MerchantProducts } from "@/components/merchants/changes/product-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { listCategoryNames } from "@/lib/catalog/console/list-edited-categories";
import { MerchantProductsInput } from "@/lib/merchants/changes/contract";
import { listMerchantProducts } from "@/lib/merchants/changes/list-merchant-products";
import { mayChange, merchant } from "@/lib/merchants/rules";
import { type MerchantProps, merchantList, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("products.read");

export const generateMetadata = merchantTitle(ACCESS, "console.merchant_changes.products");

export default async function MerchantProductsPage(props: MerchantProps) {
  const page = await merchantList(props, ACCESS, "/products", MerchantProductsInput, listMerchantProducts);
  if (!page) return <NotFoundScreen />;
  const { viewer, locale, home, list, values } = page;
  return (
    <MerchantProducts
      home={home}
      list={list}
      values={values}
      categories={await listCategoryNames(locale)}
      mayWrite={mayChange(viewer, "products.write")}
    />
  );
}
