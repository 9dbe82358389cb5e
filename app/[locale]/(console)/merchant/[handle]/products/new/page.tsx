import { ChangeEditor } from "@/components/merchants/changes/change-editor";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { listCategoryNames } from "@/lib/catalog/console/queries-editor";
import { merchant } from "@/lib/merchants/rules";
import { type MerchantProps, merchantPage, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("products.write");

export const generateMetadata = merchantTitle(ACCESS, "console.merchant_changes.new_title");

export default async function NewMerchantProductPage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { handle, name } = page.viewer.merchant;
  const categories = await listCategoryNames(page.locale);
  return (
    <ChangeEditor
      home={`/merchant/${handle}`}
      vendor={name}
      product={null}
      change={null}
      categories={categories}
    />
  );
}
