import { InsightScreen } from "@/components/merchants/insight/insight-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { InsightPageInput } from "@/lib/merchants/insight/contract";
import { getInsight } from "@/lib/merchants/insight/get-insight";
import { merchant } from "@/lib/merchants/rules";
import { type MerchantProps, merchantList, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("insight.read");

export const generateMetadata = merchantTitle(ACCESS, "console.merchant_insight.title");

export default async function MerchantInsightPage(props: MerchantProps) {
  const page = await merchantList(props, ACCESS, "/insight", InsightPageInput, getInsight);
  if (!page) return <NotFoundScreen />;
  const { locale, home, list } = page;
  return <InsightScreen locale={locale} home={home} {...list} />;
}
