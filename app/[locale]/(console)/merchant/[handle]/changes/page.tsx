import { MerchantChanges } from "@/components/merchants/changes/change-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { MerchantChangesInput } from "@/lib/merchants/changes/contract";
import { listMerchantChanges } from "@/lib/merchants/changes/queries";
import { merchant } from "@/lib/merchants/rules";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { type MerchantProps, merchantMetadata, merchantPage } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("products.read");

export const generateMetadata = (props: MerchantProps) =>
  merchantMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.merchant_changes" }))("changes"),
  );

export default async function MerchantChangesPage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { viewer, locale } = page;
  const home = `/merchant/${viewer.merchant.handle}`;
  const { values, list } = await readConsoleList(
    props,
    page,
    `${home}/changes`,
    MerchantChangesInput,
    (input) => listMerchantChanges(viewer, input, locale),
  );
  return <MerchantChanges home={home} list={list} values={values} />;
}
