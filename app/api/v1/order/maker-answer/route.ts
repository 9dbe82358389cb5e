import { answerMakerQuestion } from "@/lib/orders/vendor-confirmation/commands";
import { MakerAnswerInput, MakerAnswerView } from "@/lib/orders/vendor-confirmation/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "A maker's answer whether a code was used, by the signed link of the question",
    access: "public",
    body: MakerAnswerInput,
    result: MakerAnswerView,
    errors: ["link_invalid"],
    rate: [{ limit: 60, seconds: 600, by: "ip" }],
  },
  ({ body }) => answerMakerQuestion(body),
);
