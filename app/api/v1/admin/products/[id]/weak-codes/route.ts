import { allowWeakCodes } from "@/lib/catalog/console/allow-weak-codes";
import { ConsoleProductParams, WeakCodes, WeakCodesInput } from "@/lib/catalog/console/contract-editor";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Say whether a product takes simple codes",
    description:
      "Codes with fewer than eight letters or digits, or without a digit or groups with hyphens, are refused unless the product takes them, because they may be mistaken for words.",
    access: staff("products.write"),
    params: ConsoleProductParams,
    body: WeakCodesInput,
    result: WeakCodes,
    errors: ["product_unknown", "nothing_changes"],
  },
  ({ viewer, params, body }) => allowWeakCodes(viewer, params.id, body.allowed),
);
