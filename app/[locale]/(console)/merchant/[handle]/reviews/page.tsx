import { MerchantReviews } from "@/components/merchants/replies/review-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { MerchantReviewsInput } from "@/lib/merchants/replies/contract";
import { listMerchantReviews } from "@/lib/merchants/replies/queries";
import { merchant } from "@/lib/merchants/rules";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import { type MerchantProps, merchantMetadata, merchantPage } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("requests.read");

export const generateMetadata = (props: MerchantProps) =>
  merchantMetadata(props, ACCESS, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.merchant_reviews" }))("title"),
  );

export default async function MerchantReviewsPage(props: MerchantProps) {
  const page = await merchantPage(props, ACCESS);
  if (!page) return <NotFoundScreen />;
  const { viewer, locale } = page;
  const { handle } = viewer.merchant;
  const home = `/merchant/${handle}`;
  const { values, list } = await readConsoleList(
    props,
    page,
    `${home}/reviews`,
    MerchantReviewsInput,
    (input) => listMerchantReviews(viewer, input, locale),
  );
  return <MerchantReviews home={home} list={list} values={values} />;
}
