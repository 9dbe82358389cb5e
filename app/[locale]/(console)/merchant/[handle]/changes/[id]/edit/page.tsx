import { ChangeEditor } from "@/components/merchants/changes/change-editor";
import { ReadOnlyScreen } from "@/components/merchants/portal/read-only-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { listCategoryNames } from "@/lib/catalog/console/queries-editor";
import { getEditedChange } from "@/lib/merchants/changes/queries";
import { mayChange, merchant } from "@/lib/merchants/rules";
import { consoleText } from "@/lib/platform/i18n/console-messages";
import { type MerchantProps, merchantRecord, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("products.write");
const TITLE = "console.merchant_changes.edit";

export const generateMetadata = merchantTitle(ACCESS, TITLE);

export default async function EditChangePage(props: MerchantProps<"id">) {
  const { id } = await props.params;
  const page = await merchantRecord(props, ACCESS, {
    read: ({ viewer, locale }) => getEditedChange(viewer, id, locale),
    unknown: "change_unknown",
  });
  if (!page) return <NotFoundScreen />;
  if (!mayChange(page.viewer, "products.write"))
    return (
      <ReadOnlyScreen title={await consoleText(page.locale, TITLE)} state={page.viewer.merchant.state} />
    );
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
