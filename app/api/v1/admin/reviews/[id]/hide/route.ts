import { withoutCodes } from "@/lib/delivery/code-text/without-codes";
import { endpoint } from "@/lib/platform/api/endpoint";
import { HideReviewInput, ReviewModerated, ReviewParams } from "@/lib/reviews/console/contract";
import { hideReview } from "@/lib/reviews/console/hide-review";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Hide a review",
    description: "It leaves the product's page, its rating and its markup. The reason is for staff.",
    access: staff("reviews.moderate"),
    params: ReviewParams,
    body: HideReviewInput,
    texts: withoutCodes(({ body }: { body: HideReviewInput }) => [body.reason]),
    result: ReviewModerated,
    errors: ["review_unknown", "review_moderated", "revision_conflict"],
  },
  ({ viewer, params, body }) => hideReview(viewer, params.id, body),
);
