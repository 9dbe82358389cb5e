import { z } from "zod";
import { OrderRef } from "@/lib/orders/contract";

/**
 * `POST /order/update-delivery` (docs/product.md#75-orders-and-payment): how an order is delivered, until it is paid.
 * Absent fields stay unchanged.
 */
export const DeliveryChoiceInput = OrderRef.extend({
  /** the codes of refundable lines stay in the library instead of being mailed */
  keep_in_library: z.boolean().optional(),
  /** immediate delivery; the statutory right of withdrawal then ends for each code that was shown */
  immediate_delivery: z.boolean().optional(),
});
export type DeliveryChoiceInput = z.output<typeof DeliveryChoiceInput>;

export const DeliveryChoiceView = z.object({
  order_id: z.string(),
  keep_in_library: z.boolean(),
  immediate_delivery: z.boolean(),
  /** the lines whose codes stay in the library */
  kept_order_product_ids: z.array(z.string()),
});
export type DeliveryChoiceView = z.output<typeof DeliveryChoiceView>;
