import { endpoint } from "@/lib/platform/api/endpoint";
import { HideReviewInput, ReviewModerated, ReviewParams } from "@/lib/staff/reviews/contract";
import { hideReview } from "@/lib/staff/reviews/hide-review";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Hide a review",
    description: "It leaves the product's page, its rating and its markup. The reason is for staff.",
    access: staff("reviews.moderate"),
    params: ReviewParams,
    body: HideReviewInput,
    result: ReviewModerated,
    errors: ["review_unknown", "review_moderated", "revision_conflict", "note_has_code"],
  },
  ({ viewer, params, body }) => hideReview(viewer, params.id, body),
);
