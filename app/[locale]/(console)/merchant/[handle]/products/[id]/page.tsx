import { MerchantProductPage } from "@/components/merchants/changes/product-page";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { ProductParams } from "@/lib/merchants/changes/contract";
import { getMerchantProduct, listMerchantChanges } from "@/lib/merchants/changes/queries";
import { merchant, merchantRule } from "@/lib/merchants/rules";
import { isShopError } from "@/lib/platform/errors";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type MerchantProps, merchantMetadata, merchantPage } from "@/lib/platform/pages/merchant-console";
import { respondNotFound } from "@/lib/platform/pages/page";

const ACCESS = merchant("products.read");
type Props = MerchantProps<"id">;

export const generateMetadata = (props: Props) =>
  merchantMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.merchant_changes" }))("products"),
  );

export default async function OneMerchantProductPage(props: Props) {
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
  const { product_id, line, plans, state } = product;
  const { items: changes } = await listMerchantChanges(viewer, { product_id }, locale);
  return (
    <MerchantProductPage
      home={`/merchant/${viewer.merchant.handle}`}
      product={{ product_id, line, plans, state }}
      changes={changes}
      mayWrite={merchantRule("products.write").roles.includes(viewer.role)}
    />
  );
}
