import { InsightScreen } from "@/components/merchants/insight/insight-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { InsightPageInput } from "@/lib/merchants/insight/contract";
import { getInsight } from "@/lib/merchants/insight/queries";
import { merchant } from "@/lib/merchants/rules";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { type MerchantProps, merchantMetadata, merchantPage } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("insight.read");

export const generateMetadata = (props: MerchantProps) =>
  merchantMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.merchant_insight" }))("title"),
  );

export default async function MerchantInsightPage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { viewer, locale } = page;
  const home = `/merchant/${viewer.merchant.handle}`;
  const { list } = await readConsoleList(props, page, `${home}/insight`, InsightPageInput, (input) =>
    getInsight(viewer, input, locale),
  );
  return <InsightScreen locale={locale} home={home} {...list} />;
}
