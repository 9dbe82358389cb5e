import { withoutCodes } from "@/lib/delivery/code-text/without-codes";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";
import { createStoredAnswer, listStoredAnswers } from "@/lib/support/console/change-stored-answers";
import {
  StoredAnswer,
  StoredAnswerInput,
  StoredAnswerList,
  textsOfAnswer,
} from "@/lib/support/console/contract";

export const GET = endpoint(
  {
    summary: "Stored answers",
    description: "All of them, by title.",
    access: staff("messages.answer"),
    result: StoredAnswerList,
    errors: [],
  },
  () => listStoredAnswers(),
);

export const POST = endpoint(
  {
    summary: "Store an answer",
    description: "`{name}`, `{order}` and `{pass}` are filled in where the answer is used.",
    access: staff("messages.answer"),
    body: StoredAnswerInput,
    texts: withoutCodes(({ body }: { body: StoredAnswerInput }) => textsOfAnswer(body)),
    result: StoredAnswer,
    errors: ["answers_full"],
  },
  ({ viewer, body }) => createStoredAnswer(viewer, body),
);
