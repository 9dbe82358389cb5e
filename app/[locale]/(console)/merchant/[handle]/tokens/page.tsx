import { TokensScreen } from "@/components/merchants/tokens/tokens-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { isOpenState, merchant } from "@/lib/merchants/rules";
import { listTokens } from "@/lib/merchants/tokens/queries";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { type MerchantProps, merchantMetadata, merchantPage } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("tokens.manage");

export const generateMetadata = (props: MerchantProps) =>
  merchantMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.merchant_tokens" }))("title"),
  );

export default async function MerchantTokensPage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { merchant: seller } = page.viewer;
  const { items } = await listTokens(page.viewer);
  return <TokensScreen tokens={items} handle={seller.handle} canChange={isOpenState(seller.state)} />;
}
