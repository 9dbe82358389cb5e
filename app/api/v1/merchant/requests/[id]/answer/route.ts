import { answerRequest } from "@/lib/merchants/requests/answer-request";
import { AnswerRequestInput, RequestAnswered, RequestParams } from "@/lib/merchants/requests/contract";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Answer a request",
    description:
      "`unused` returns the buyer's money, `used` refuses. `replace` takes another code from stock, `refuse` mails the reason to the code's owner. The first answer counts.",
    access: merchant("requests.write", { whileSuspended: true }),
    params: RequestParams,
    body: AnswerRequestInput,
    result: RequestAnswered,
    errors: [
      "request_unknown",
      "answer_unfit",
      "reason_missing",
      "note_has_code",
      "revision_conflict",
      "refund_decided",
      "own_request",
      "payment_disputed",
      "replacement_decided",
      "replacement_no_stock",
      "replacement_locked",
    ],
  },
  ({ viewer, params, body }) => answerRequest(viewer, params.id, body),
);
