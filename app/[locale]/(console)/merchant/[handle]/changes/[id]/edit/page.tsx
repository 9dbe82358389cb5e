import { ChangeEditor } from "@/components/merchants/changes/change-editor";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { listCategoryNames } from "@/lib/catalog/console/queries-editor";
import { getEditedChange } from "@/lib/merchants/changes/queries";
import { merchant } from "@/lib/merchants/rules";
import { type MerchantProps, merchantRecord, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("products.write");

export const generateMetadata = merchantTitle(ACCESS, "console.merchant_changes.edit");

export default async function EditChangePage(props: MerchantProps<"id">) {
  const { id } = await props.params;
  const page = await merchantRecord(props, ACCESS, {
    read: ({ viewer, locale }) => getEditedChange(viewer, id, locale),
    unknown: "change_unknown",
  });
  if (!page) return <NotFoundScreen />;
  const { viewer, locale, home, found } = page;
  return (
    <ChangeEditor
      home={home}
      vendor={viewer.merchant.name}
      product={found.product}
      change={found.change}
      categories={await listCategoryNames(locale)}
    />
  );
}
