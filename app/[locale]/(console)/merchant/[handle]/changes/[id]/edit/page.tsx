import { ChangeEditor } from "@/components/merchants/changes/change-editor";
import { ReadOnlyScreen } from "@/components/merchants/portal/read-only-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { listCategoryNames } from "@/lib/catalog/console/list-edited-categories";
import { getEditedChange } from "@/lib/merchants/changes/get-edited-change";
import { mayChange, merchant } from "@/lib/merchants/rules";
import { consoleText } from "@/lib/platform/i18n/console-messages";
import { type MerchantProps, merchantRecord } from "@/lib/platform/pages/merchant-console";

const TITLE = "console.merchant_changes.edit";

const RECORD = merchantRecord(merchant("products.write"), {
  title: TITLE,
  read: (id, { viewer, locale }) => getEditedChange(viewer, id, locale),
  unknown: "change_unknown",
});

export const generateMetadata = RECORD.metadata;

export default async function EditChangePage(props: MerchantProps<"id">) {
  const page = await RECORD.page(props);
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
