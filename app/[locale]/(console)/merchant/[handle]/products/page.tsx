import { MerchantProducts } from "@/components/merchants/changes/product-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { listCategoryNames } from "@/lib/catalog/console/queries-editor";
import { MerchantProductsInput } from "@/lib/merchants/changes/contract";
import { listMerchantProducts } from "@/lib/merchants/changes/queries";
import { merchant, merchantRule } from "@/lib/merchants/rules";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { type MerchantProps, merchantMetadata, merchantPage } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("products.read");

export const generateMetadata = (props: MerchantProps) =>
  merchantMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.merchant_changes" }))("products"),
  );

export default async function MerchantProductsPage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { viewer, locale } = page;
  const home = `/merchant/${viewer.merchant.handle}`;
  const { values, list } = await readConsoleList(
    props,
    page,
    `${home}/products`,
    MerchantProductsInput,
    (input) => listMerchantProducts(viewer, input, locale),
  );
  return (
    <MerchantProducts
      home={home}
      list={list}
      values={values}
      categories={await listCategoryNames(locale)}
      mayWrite={merchantRule("products.write").roles.includes(viewer.role)}
    />
  );
}
