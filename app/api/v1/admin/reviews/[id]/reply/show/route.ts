import { ReplyView, ReviewParams } from "@/lib/merchants/replies/contract";
import { showReply } from "@/lib/merchants/replies/decide-reply";
import { endpoint } from "@/lib/platform/api/endpoint";
import { SeenVersion } from "@/lib/platform/console/version";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Show a merchant's reply under its review",
    access: staff("reviews.moderate"),
    params: ReviewParams,
    body: SeenVersion,
    result: ReplyView,
    errors: ["reply_unknown", "reply_decided", "revision_conflict"],
  },
  ({ viewer, params, body }) => showReply(viewer, params.id, body),
);
