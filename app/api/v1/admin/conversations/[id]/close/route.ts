import { endpoint } from "@/lib/platform/api/endpoint";
import { SeenVersion } from "@/lib/platform/console/version";
import { staff } from "@/lib/staff/rules";
import { closeConversation } from "@/lib/support/console/answer-conversation";
import { ConsoleConversationDetail, ConversationParams } from "@/lib/support/console/contract";

export const POST = endpoint(
  {
    summary: "Close a conversation without an answer",
    description: "Nobody is mailed. The customer may write back, which opens it again.",
    access: staff("messages.answer"),
    params: ConversationParams,
    body: SeenVersion,
    result: ConsoleConversationDetail,
    errors: ["conversation_unknown", "revision_conflict"],
  },
  ({ viewer, params, body }) => closeConversation(viewer, params.id, body),
);
