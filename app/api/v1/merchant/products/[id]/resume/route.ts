import { ProductParams, ProductPaused } from "@/lib/merchants/changes/contract";
import { pauseProduct } from "@/lib/merchants/changes/pause-plan";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Sell the paused plans of a product again",
    description:
      "Immediately, those that the merchant itself had paused; when the shop paused all of them, 40998.",
    access: merchant("products.write"),
    params: ProductParams,
    result: ProductPaused,
    errors: ["product_unknown", "pause_by_shop"],
  },
  ({ viewer, params, locale }) => pauseProduct(viewer, params.id, { paused: false, locale }),
);
