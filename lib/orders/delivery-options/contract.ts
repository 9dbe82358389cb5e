import { z } from "zod";
import { OrderRef } from "@/lib/orders/contract";

/** `POST /order/update-delivery` (docs/product.md#75-orders-and-payment): how an order is delivered, until it is paid. What is absent stays. */
export const DeliveryChoiceInput = OrderRef.extend({
  /** the codes of refundable lines wait in the library instead of being mailed */
  keep_in_library: z.boolean().optional(),
  /** delivery begins at once; the statutory right to withdraw then ends for each code that was shown */
  immediate_delivery: z.boolean().optional(),
});
export type DeliveryChoiceInput = z.output<typeof DeliveryChoiceInput>;

export const DeliveryChoiceView = z.object({
  order_id: z.string(),
  keep_in_library: z.boolean(),
  immediate_delivery: z.boolean(),
  /** the lines whose codes wait in the library */
  kept_order_product_ids: z.array(z.string()),
});
export type DeliveryChoiceView = z.output<typeof DeliveryChoiceView>;
