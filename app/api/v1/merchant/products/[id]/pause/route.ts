import { ProductParams, ProductPaused } from "@/lib/merchants/changes/contract";
import { pauseProduct } from "@/lib/merchants/changes/pause-plan";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Take all plans of a product off sale immediately",
    description:
      "Nobody can buy it; paid orders are still served, and proposals that wait keep waiting. The owners get an email when a person does it.",
    access: merchant("products.write", { reauthenticated: true }),
    params: ProductParams,
    result: ProductPaused,
    errors: ["product_unknown"],
  },
  ({ viewer, params, locale }) => pauseProduct(viewer, params.id, { paused: true, locale }),
);
