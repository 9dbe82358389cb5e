import { ReplyInput, ReplyView, ReviewParams } from "@/lib/merchants/replies/contract";
import { replyToReview } from "@/lib/merchants/replies/reply-to-review";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Reply to a review",
    description:
      "One reply a review, which everybody reads after staff have shown it. A refused one may be written again.",
    access: merchant("reviews.reply"),
    params: ReviewParams,
    body: ReplyInput,
    result: ReplyView,
    errors: ["review_unknown", "review_answered", "note_has_code"],
  },
  ({ viewer, params, body }) => replyToReview(viewer, params.id, body),
);
