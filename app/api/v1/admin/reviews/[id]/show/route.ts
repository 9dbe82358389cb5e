import { endpoint } from "@/lib/platform/api/endpoint";
import { SeenVersion } from "@/lib/platform/console/version";
import { ReviewModerated, ReviewParams } from "@/lib/reviews/console/contract";
import { showReview } from "@/lib/reviews/console/hide-review";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Show a hidden review again",
    access: staff("reviews.moderate"),
    params: ReviewParams,
    body: SeenVersion,
    result: ReviewModerated,
    errors: ["review_unknown", "review_moderated", "review_ruled", "revision_conflict"],
  },
  ({ viewer, params, body }) => showReview(viewer, params.id, body),
);
