import { ChangeEditor } from "@/components/merchants/changes/change-editor";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { listCategoryNames } from "@/lib/catalog/console/queries-editor";
import { getEditedChange } from "@/lib/merchants/changes/queries";
import { merchant } from "@/lib/merchants/rules";
import { isShopError } from "@/lib/platform/errors";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type MerchantProps, merchantMetadata, merchantPage } from "@/lib/platform/pages/merchant-console";
import { respondNotFound } from "@/lib/platform/pages/page";

const ACCESS = merchant("products.write");
type Props = MerchantProps<"id">;

export const generateMetadata = (props: Props) =>
  merchantMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.merchant_changes" }))("edit"),
  );

export default async function EditChangePage(props: Props) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { viewer, locale } = page;
  const { id } = await props.params;
  const found = await getEditedChange(viewer, id, locale).catch((error: unknown) => {
    if (!isShopError(error, "change_unknown")) throw error;
  });
  if (!found) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  return (
    <ChangeEditor
      home={`/merchant/${viewer.merchant.handle}`}
      vendor={viewer.merchant.name}
      product={found.product}
      change={found.change}
      categories={await listCategoryNames(locale)}
    />
  );
}
