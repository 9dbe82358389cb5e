import { z } from "zod";
import { OrderRef } from "@/lib/orders/contract";
import { Instant, Usd } from "@/lib/platform/api/fields";

/** `POST /order/refund/request` (docs/product.md#75-orders-and-payment): one line of an order, all that is left of it. */
export const RefundRequestInput = OrderRef.extend({ order_product_id: z.string().min(1).max(64) });
export type RefundRequestInput = z.output<typeof RefundRequestInput>;

export const RefundRequestView = z.object({
  order_id: z.string(),
  order_product_id: z.string(),
  /** `approved`: the money is on its way back. `asked`: the maker is asked first. */
  state: z.enum(["approved", "asked"]),
  refund_amount: Usd,
  /** when silence decides for the shopper; null when it is approved */
  answer_by: Instant.nullable(),
});
export type RefundRequestView = z.output<typeof RefundRequestView>;

/** `POST /order/resend`: how many codes go out again, and where. */
export const ResendView = z.object({ order_id: z.string(), send_email: z.string(), sent: z.int() });
export type ResendView = z.output<typeof ResendView>;
