import { endpoint } from "@/lib/platform/api/endpoint";
import { ConversationView, ReplyInput } from "@/lib/support/contract";
import { replyToSupport } from "@/lib/support/reply-to-support";
import { REPLY_LIMITS } from "@/lib/support/rules";

export const POST = endpoint(
  {
    summary: "Write back in a conversation with support",
    description: "Activation codes are masked. A closed conversation is open again.",
    access: "user",
    body: ReplyInput,
    result: ConversationView,
    errors: ["conversation_unknown"],
    rate: [...REPLY_LIMITS],
    failClosed: true,
  },
  ({ body, viewer, locale }) => replyToSupport(viewer, body, locale),
);
