import { ChangeEditor } from "@/components/merchants/changes/change-editor";
import { ReadOnlyScreen } from "@/components/merchants/portal/read-only-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { listCategoryNames } from "@/lib/catalog/console/list-edited-categories";
import { mayChange, merchant } from "@/lib/merchants/rules";
import { consoleText } from "@/lib/platform/i18n/console-messages";
import { type MerchantProps, merchantPage, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("products.write");
const TITLE = "console.merchant_changes.new_title";

export const generateMetadata = merchantTitle(ACCESS, TITLE);

export default async function NewMerchantProductPage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  if (!mayChange(page.viewer, "products.write"))
    return (
      <ReadOnlyScreen title={await consoleText(page.locale, TITLE)} state={page.viewer.merchant.state} />
    );
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
