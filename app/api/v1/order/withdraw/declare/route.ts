import { Declared, DeclareInput } from "@/lib/orders/withdrawal/contract";
import { declareWithdrawal } from "@/lib/orders/withdrawal/declare-withdrawal";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Declare the statutory withdrawal from a contract",
    description:
      "Recorded at once, with a receipt by email and as a PDF, whether the order exists or not; the answer does not tell. It locks nothing: the money follows with `/order/withdraw`, by session or with the code mailed to an address of the order. Repeated for the same order and address it is counted.",
    access: "public",
    body: DeclareInput,
    result: Declared,
    errors: ["email_invalid"],
    rate: [{ limit: 30, seconds: 600, by: "ip" }],
    failClosed: true,
  },
  ({ body, viewer, locale, ip }) => declareWithdrawal(viewer, body, locale, ip),
);
