import { TokensScreen } from "@/components/merchants/tokens/tokens-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { isOpenState, merchant } from "@/lib/merchants/rules";
import { listTokens } from "@/lib/merchants/tokens/list-tokens";
import { type MerchantProps, merchantPage, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("tokens.manage");

export const generateMetadata = merchantTitle(ACCESS, "console.merchant_tokens.title");

export default async function MerchantTokensPage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { merchant: seller } = page.viewer;
  const { items } = await listTokens(page.viewer);
  return <TokensScreen tokens={items} handle={seller.handle} canChange={isOpenState(seller.state)} />;
}
