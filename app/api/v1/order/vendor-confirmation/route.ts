import { answerVendorConfirmation } from "@/lib/orders/vendor-confirmation/commands";
import { VendorAnswerInput, VendorAnswerView } from "@/lib/orders/vendor-confirmation/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Submit the vendor's answer whether a code was used, with the signed link of its email",
    access: "public",
    body: VendorAnswerInput,
    result: VendorAnswerView,
    errors: ["link_invalid", "payment_disputed"],
    rate: [{ limit: 60, seconds: 600, by: "ip" }],
  },
  ({ body }) => answerVendorConfirmation(body),
);
