import { answerVendorConfirmation } from "@/lib/orders/vendor-confirmation/commands";
import { VendorAnswerInput, VendorAnswerView } from "@/lib/orders/vendor-confirmation/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "A maker's answer whether a code was used, by the signed link of the question",
    access: "public",
    body: VendorAnswerInput,
    result: VendorAnswerView,
    errors: ["link_invalid"],
    rate: [{ limit: 60, seconds: 600, by: "ip" }],
  },
  ({ body }) => answerVendorConfirmation(body),
);
