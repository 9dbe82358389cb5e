import { answerTaxQuestion } from "@/lib/orders/tax/answer-tax-question";
import { OrderTax, TaxAnswerInput } from "@/lib/orders/tax/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Say where the buyer of a paid order lives, of the countries that `tax.question` names",
    description:
      "Another country than the one that counted so far gets a credit note and a new invoice. What was paid does not change.",
    access: "user",
    body: TaxAnswerInput,
    result: OrderTax,
    errors: ["order_unknown", "country_invalid", "tax_settled"],
  },
  ({ body, viewer }) => answerTaxQuestion(viewer, body),
);
