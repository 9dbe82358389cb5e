import { z } from "zod";
import { OrderRef } from "@/lib/orders/contract";
import { Instant, Usd } from "@/lib/platform/api/fields";

/** `POST /order/refund/request` (docs/product.md#75-orders-and-payment): all that is left of one order line. */
export const RefundRequestInput = OrderRef.extend({ order_product_id: z.string().min(1).max(64) });
export type RefundRequestInput = z.output<typeof RefundRequestInput>;

export const RefundRequestView = z.object({
  order_id: z.string(),
  order_product_id: z.string(),
  /** `approved`: the refund is on its way. `asked`: the vendor confirms first. */
  state: z.enum(["approved", "asked"]),
  refund_amount: Usd,
  /** when the request is approved without an answer; null when it is approved */
  answer_by: Instant.nullable(),
});
export type RefundRequestView = z.output<typeof RefundRequestView>;

/** `POST /order/resend`: how many codes were sent again, and where. */
export const ResendView = z.object({ order_id: z.string(), send_email: z.string(), sent: z.int() });
export type ResendView = z.output<typeof ResendView>;
