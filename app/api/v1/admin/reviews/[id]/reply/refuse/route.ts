import { RefuseReplyInput, ReplyView, ReviewParams } from "@/lib/merchants/replies/contract";
import { refuseReply } from "@/lib/merchants/replies/decide-reply";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Refuse a merchant's reply, or take a shown one away",
    description: "The merchant reads the note, and may write another reply.",
    access: staff("reviews.moderate"),
    params: ReviewParams,
    body: RefuseReplyInput,
    result: ReplyView,
    errors: ["reply_unknown", "reply_decided", "revision_conflict", "note_has_code"],
  },
  ({ viewer, params, body }) => refuseReply(viewer, params.id, body),
);
