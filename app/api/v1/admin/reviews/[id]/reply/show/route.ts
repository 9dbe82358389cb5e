import { showReply } from "@/lib/merchants/replies/commands";
import { ReplyView, ReviewParams } from "@/lib/merchants/replies/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Show a merchant's reply under its review",
    access: staff("reviews.moderate"),
    params: ReviewParams,
    result: ReplyView,
    errors: ["reply_unknown", "reply_decided"],
  },
  ({ viewer, params }) => showReply(viewer, params.id),
);
