import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { readStatus } from "@/lib/orders/cancellation/close-unpaid-order";
import type { OrderStatusView, UpdateStatusInput } from "@/lib/orders/contract";
import { isPaid } from "@/lib/orders/rules";
import { callProvider } from "@/lib/payments/cards/call-provider";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { settlePayment } from "./settle-payment";

/**
 * Handles a requested status (docs/product.md#42-order-status): `cancelled` cancels; anything else reconciles with
 * the provider. Returns the actual status.
 * @throws ShopError order_unknown, payment_unconfirmed when the provider has no such payment
 */
export async function updateOrderStatus(
  viewer: UserViewer,
  input: UpdateStatusInput,
): Promise<OrderStatusView> {
  if (input.status === "cancelled") return cancelOrder(viewer, input);
  const [payment] = await db.execute<{ intent_id: string | null }>(sql`
    select p.intent_id from orders o left join payments p on p.order_id = o.id and p.state <> 'canceled'
    where o.id = ${input.order_id} and o.user_id = ${viewer.userId}`);
  if (!payment) throw new ShopError("order_unknown");
  const intentId = payment.intent_id;
  if (intentId) await callProvider(() => settlePayment(intentId));
  const status = await readStatus(input.order_id);
  if (isPaid(input.status) && status === "pending") throw new ShopError("payment_unconfirmed");
  return { order_id: input.order_id, status };
}
