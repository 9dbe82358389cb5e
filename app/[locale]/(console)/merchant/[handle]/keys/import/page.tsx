import { AddKeysScreen } from "@/components/merchants/keys/add-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { merchant } from "@/lib/merchants/rules";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type MerchantProps, merchantMetadata, merchantPage } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("keys.write");

export const generateMetadata = (props: MerchantProps) =>
  merchantMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.merchant_keys" }))("add_title"),
  );

export default async function MerchantAddKeysPage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  return <AddKeysScreen handle={page.viewer.merchant.handle} />;
}
