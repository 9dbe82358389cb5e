import { AddKeysScreen } from "@/components/merchants/keys/add-screen";
import { ReadOnlyScreen } from "@/components/merchants/portal/read-only-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { mayChange, merchant } from "@/lib/merchants/rules";
import { consoleText } from "@/lib/platform/i18n/console-messages";
import { type MerchantProps, merchantPage, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("keys.write");
const TITLE = "console.merchant_keys.add_title";

export const generateMetadata = merchantTitle(ACCESS, TITLE);

export default async function MerchantAddKeysPage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  if (!mayChange(page.viewer, "keys.write"))
    return (
      <ReadOnlyScreen title={await consoleText(page.locale, TITLE)} state={page.viewer.merchant.state} />
    );
  return <AddKeysScreen handle={page.viewer.merchant.handle} />;
}
