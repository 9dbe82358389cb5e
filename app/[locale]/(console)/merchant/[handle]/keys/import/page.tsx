import { AddKeysScreen } from "@/components/merchants/keys/add-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { merchant } from "@/lib/merchants/rules";
import { type MerchantProps, merchantPage, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("keys.write");

export const generateMetadata = merchantTitle(ACCESS, "console.merchant_keys.add_title");

export default async function MerchantAddKeysPage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  return <AddKeysScreen handle={page.viewer.merchant.handle} />;
}
