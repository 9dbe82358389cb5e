import { MerchantReviewList, MerchantReviewsInput } from "@/lib/merchants/replies/contract";
import { listMerchantReviews } from "@/lib/merchants/replies/list-merchant-reviews";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "Published reviews of the merchant's products, with its replies",
    description: "50 a page, newest first. Authors are not named.",
    access: merchant("requests.read"),
    query: MerchantReviewsInput,
    result: MerchantReviewList,
    errors: ["cursor_invalid"],
  },
  ({ viewer, query, locale }) => listMerchantReviews(viewer, query, locale),
);
