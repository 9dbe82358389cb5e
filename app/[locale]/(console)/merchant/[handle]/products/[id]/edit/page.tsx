import { ChangeEditor } from "@/components/merchants/changes/change-editor";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { listCategoryNames } from "@/lib/catalog/console/queries-editor";
import { productIdOf } from "@/lib/merchants/changes/contract";
import { getMerchantProduct } from "@/lib/merchants/changes/queries";
import { merchant } from "@/lib/merchants/rules";
import { type MerchantProps, merchantRecord, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("products.write");

export const generateMetadata = merchantTitle(ACCESS, "console.merchant_changes.propose");

export default async function ProposeChangePage(props: MerchantProps<"id">) {
  const { id } = await props.params;
  const page = await merchantRecord(props, ACCESS, {
    read: ({ viewer, locale }) => getMerchantProduct(viewer, productIdOf(id), locale),
    unknown: "product_unknown",
  });
  if (!page) return <NotFoundScreen />;
  const { viewer, locale, home, found } = page;
  return (
    <ChangeEditor
      key={found.revision}
      home={home}
      vendor={viewer.merchant.name}
      product={found}
      change={null}
      categories={await listCategoryNames(locale)}
    />
  );
}
