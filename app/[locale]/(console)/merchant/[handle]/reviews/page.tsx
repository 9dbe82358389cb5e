import { MerchantReviews } from "@/components/merchants/replies/review-list";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { MerchantReviewsInput } from "@/lib/merchants/replies/contract";
import { listMerchantReviews } from "@/lib/merchants/replies/list-merchant-reviews";
import { mayChange, merchant } from "@/lib/merchants/rules";
import { merchantListPage } from "@/lib/platform/pages/merchant-console";

const { metadata, page } = merchantListPage({
  path: "/reviews",
  title: "console.merchant_reviews.title",
  access: merchant("requests.read"),
  input: MerchantReviewsInput,
  read: listMerchantReviews,
  more: async ({ viewer }) => ({ mayReply: mayChange(viewer, "reviews.reply") }),
  screen: MerchantReviews,
  notFound: NotFoundScreen,
});

export const generateMetadata = metadata;
export default page;
