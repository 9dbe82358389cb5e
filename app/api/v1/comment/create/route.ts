import { z } from "zod";
import { endpoint } from "@/lib/platform/api/endpoint";
import { CreateReviewInput } from "@/lib/reviews/contract";
import { createReview } from "@/lib/reviews/create-review";

export const POST = endpoint(
  {
    summary: "Review a product of the viewer's order",
    access: "user",
    body: CreateReviewInput,
    result: z.object({ review_id: z.string() }),
    errors: [
      "order_unknown",
      "review_not_bought",
      "review_code_unrevealed",
      "review_own_product",
      "review_exists",
      "rating_missing",
      "review_title_missing",
      "review_content_missing",
    ],
    rate: [{ limit: 20, seconds: 3600, by: "user" }],
  },
  ({ viewer, body }) => createReview(viewer, body),
);
