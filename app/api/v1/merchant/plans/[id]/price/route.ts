import { changePlanPrice } from "@/lib/merchants/changes/change-plan-price";
import { ChangeSaved, PlanParams, PlanPriceInput } from "@/lib/merchants/changes/contract";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Propose another price of a plan, or see its effect",
    description:
      "`prices` says what buyers would see: the price, the earlier one, the lowest of 30 days and the percentage. Prices keep to the rules of the catalogue (docs/product.md#818-prices-and-their-history). Of a trusted merchant it is live at once, others wait for approval. With `preview` nothing is written. To set one that is live at once, a person has given password and second factor within 15 minutes; a token has no such step.",
    access: merchant("products.write"),
    params: PlanParams,
    body: PlanPriceInput,
    result: ChangeSaved,
    errors: ["product_unknown", "nothing_changes", "second_factor_required", "reauthentication_required"],
  },
  ({ viewer, params, body, locale }) => changePlanPrice(viewer, params.id, { ...body, locale }),
);
