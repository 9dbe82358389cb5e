import { endpoint } from "@/lib/platform/api/endpoint";
import { showReview } from "@/lib/staff/reviews/commands";
import { ReviewModerated, ReviewParams } from "@/lib/staff/reviews/contract";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Show a hidden review again",
    access: staff("reviews.moderate"),
    params: ReviewParams,
    result: ReviewModerated,
    errors: ["review_unknown", "review_moderated", "review_ruled"],
  },
  ({ viewer, params }) => showReview(viewer, params.id),
);
