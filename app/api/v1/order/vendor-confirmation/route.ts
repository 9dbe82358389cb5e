import { answerVendorConfirmation } from "@/lib/orders/vendor-confirmation/answer-vendor-confirmation";
import { VendorAnswerInput, VendorAnswerView } from "@/lib/orders/vendor-confirmation/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Submit the vendor's answer whether a code was used, with the signed link of its email",
    description:
      "The link names the codes of its email: when the request is about others since, the call answers 40940.",
    access: "public",
    body: VendorAnswerInput,
    result: VendorAnswerView,
    errors: ["link_invalid", "revision_conflict", "payment_disputed"],
    rate: [{ limit: 60, seconds: 600, by: "ip" }],
  },
  ({ body }) => answerVendorConfirmation(body),
);
