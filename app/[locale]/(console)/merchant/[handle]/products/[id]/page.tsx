import { MerchantProductPage } from "@/components/merchants/changes/product-page";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { productIdOf } from "@/lib/merchants/changes/contract";
import { getMerchantProduct } from "@/lib/merchants/changes/get-merchant-product";
import { listMerchantChanges } from "@/lib/merchants/changes/list-merchant-changes";
import { mayChange, merchant } from "@/lib/merchants/rules";
import { type MerchantProps, merchantRecord } from "@/lib/platform/pages/merchant-console";

const RECORD = merchantRecord(merchant("products.read"), {
  title: "console.merchant_changes.products",
  read: (id, { viewer, locale }) => getMerchantProduct(viewer, productIdOf(id), locale),
  unknown: "product_unknown",
});

export const generateMetadata = RECORD.metadata;

export default async function OneMerchantProductPage(props: MerchantProps<"id">) {
  const page = await RECORD.page(props);
  if (!page) return <NotFoundScreen />;
  const { viewer, locale, home, found } = page;
  const { product_id, line, plans, state, shop_change, commission } = found;
  const { items: changes } = await listMerchantChanges(viewer, { product_id }, locale);
  return (
    <MerchantProductPage
      home={home}
      product={{ product_id, line, plans, state, shop_change, commission }}
      changes={changes}
      mayWrite={mayChange(viewer, "products.write")}
    />
  );
}
