import { countryOptions } from "@/components/accounts/billing/country-options";
import { BusinessScreen } from "@/components/merchants/trade-file/business-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { merchant } from "@/lib/merchants/rules";
import { getTradeFile } from "@/lib/merchants/trade-file/get-trade-file";
import { type MerchantProps, merchantPage, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("trade.read");

export const generateMetadata = merchantTitle(ACCESS, "console.trade_file.title");

export default async function MerchantBusinessPage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  return <BusinessScreen file={await getTradeFile(page.viewer)} countries={countryOptions(page.locale)} />;
}
