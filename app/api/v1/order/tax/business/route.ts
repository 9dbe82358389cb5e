import { OrderTax, TaxBusinessInput } from "@/lib/orders/tax/contract";
import { setTaxBusiness } from "@/lib/orders/tax/set-tax-business";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary:
      "Name the business for which an unpaid order is bought; without `business` it is a private person",
    description:
      "The VAT id is checked with the EU's service. `unchecked` when the service does not answer: the order can be paid, with tax, and the id is checked again each hour. Where the total changes, a payment that was opened for the other one is closed, as by `/order/coupon`.",
    access: "user",
    body: TaxBusinessInput,
    result: OrderTax,
    errors: ["order_unknown", "order_not_payable", "vat_id_invalid", "tax_off", "provider_unavailable"],
    rate: [{ limit: 20, seconds: 600, by: "user" }],
  },
  ({ body, viewer }) => setTaxBusiness(viewer, body),
);
