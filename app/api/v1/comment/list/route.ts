import { endpoint } from "@/lib/platform/api/endpoint";
import { ListReviewsInput, ReviewList } from "@/lib/reviews/contract";
import { listReviews } from "@/lib/reviews/list-reviews";

export const GET = endpoint(
  {
    summary: "List the reviews of a product, with their summary",
    access: "public",
    coalesced: true,
    query: ListReviewsInput,
    result: ReviewList,
    errors: [],
  },
  ({ query }) => listReviews(query),
);
