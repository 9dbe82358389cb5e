import { MerchantReviews } from "@/components/merchants/replies/review-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { MerchantReviewsInput } from "@/lib/merchants/replies/contract";
import { listMerchantReviews } from "@/lib/merchants/replies/list-merchant-reviews";
import { mayChange, merchant } from "@/lib/merchants/rules";
import { type MerchantProps, merchantList, merchantTitle } from "@/lib/platform/pages/merchant-console";

const ACCESS = merchant("requests.read");

export const generateMetadata = merchantTitle(ACCESS, "console.merchant_reviews.title");

export default async function MerchantReviewsPage(props: MerchantProps) {
  const page = await merchantList(props, ACCESS, "/reviews", MerchantReviewsInput, listMerchantReviews);
  if (!page) return <NotFoundScreen />;
  const { viewer, home, list, values } = page;
  return (
    <MerchantReviews home={home} list={list} values={values} mayReply={mayChange(viewer, "reviews.reply")} />
  );
}
