import { z } from "zod";
import { ConsoleOrderParams } from "@/lib/orders/console/contract-detail";
import { Usd, UsdInput } from "@/lib/platform/api/fields";
import { SeenVersion } from "@/lib/platform/console/version";

export const GoodwillParams = ConsoleOrderParams;
/** POST /admin/orders/{id}/goodwill */
export const GoodwillInput = SeenVersion.extend({
  order_product_id: z.string().min(1).max(64),
  amount: UsdInput.min(0.01),
  /** what was refunded of the pass when it was looked at, so that two people do not give the same twice */
  refunded_amount: UsdInput,
  /** for staff */
  reason: z.string().trim().min(3).max(500),
});
export type GoodwillInput = z.output<typeof GoodwillInput>;
export const GoodwillView = z.object({ order_id: z.string(), order_product_id: z.string(), amount: Usd });
export type GoodwillView = z.output<typeof GoodwillView>;
