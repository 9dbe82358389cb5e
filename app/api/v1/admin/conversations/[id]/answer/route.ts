import { withoutCodes } from "@/lib/delivery/code-text/without-codes";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";
import { answerConversation } from "@/lib/support/console/answer-conversation";
import {
  AnswerConversationInput,
  ConsoleConversationDetail,
  ConversationParams,
} from "@/lib/support/console/contract";

export const POST = endpoint(
  {
    summary: "Answer a customer",
    description:
      "By email and in the customer's account. It may hold no activation code and no variable that nothing was filled in for. `close`: nothing is expected back.",
    access: staff("messages.answer"),
    params: ConversationParams,
    body: AnswerConversationInput,
    texts: withoutCodes(({ body }: { body: AnswerConversationInput }) => [body.message]),
    result: ConsoleConversationDetail,
    errors: ["conversation_unknown", "revision_conflict", "answer_variable"],
  },
  ({ viewer, params, body }) => answerConversation(viewer, params.id, body),
);
