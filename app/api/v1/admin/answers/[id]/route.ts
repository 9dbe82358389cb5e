import { withoutCodes } from "@/lib/delivery/code-text/without-codes";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";
import { changeStoredAnswer } from "@/lib/support/console/change-stored-answers";
import {
  ChangeStoredAnswerInput,
  ConversationParams,
  StoredAnswer,
  type StoredAnswerInput,
  textsOfAnswer,
} from "@/lib/support/console/contract";

export const POST = endpoint(
  {
    summary: "Change a stored answer",
    access: staff("messages.answer"),
    params: ConversationParams,
    body: ChangeStoredAnswerInput,
    texts: withoutCodes(({ body }: { body: StoredAnswerInput }) => textsOfAnswer(body)),
    result: StoredAnswer,
    errors: ["answer_unknown", "revision_conflict"],
  },
  ({ viewer, params, body }) => changeStoredAnswer(viewer, params.id, body),
);
