import { ChangeEditor } from "@/components/merchants/changes/change-editor";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { listCategoryNames } from "@/lib/catalog/console/queries-editor";
import { ProductParams } from "@/lib/merchants/changes/contract";
import { getMerchantProduct } from "@/lib/merchants/changes/queries";
import { merchant } from "@/lib/merchants/rules";
import { isShopError } from "@/lib/platform/errors";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type MerchantProps, merchantMetadata, merchantPage } from "@/lib/platform/pages/merchant-console";
import { respondNotFound } from "@/lib/platform/pages/page";

const ACCESS = merchant("products.write");
type Props = MerchantProps<"id">;

export const generateMetadata = (props: Props) =>
  merchantMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.merchant_changes" }))("propose"),
  );

export default async function ProposeChangePage(props: Props) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { viewer, locale } = page;
  const params = ProductParams.safeParse(await props.params);
  const product =
    params.success &&
    (await getMerchantProduct(viewer, params.data.id, locale).catch((error: unknown) => {
      if (!isShopError(error, "product_unknown")) throw error;
    }));
  if (!product) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  return (
    <ChangeEditor
      key={product.revision}
      home={`/merchant/${viewer.merchant.handle}`}
      vendor={viewer.merchant.name}
      product={product}
      change={null}
      categories={await listCategoryNames(locale)}
    />
  );
}
