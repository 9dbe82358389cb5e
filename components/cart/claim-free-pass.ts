import { announceCartChange } from "@/components/shell/session-summary";
import type { OrderStatusView } from "@/lib/orders/contract";
import { type ApiResult, api } from "@/lib/platform/api/client";
import { EMAIL_UNVERIFIED, PURCHASE_LIMIT, TOTAL_CHANGED } from "./error-codes";

/**
 * Claims a free pass: adds a cart line, creates an order of that line and completes it. A line left by an earlier
 * attempt is reused. A line that cannot be claimed is removed.
 */
export async function claimFreePass(
  { productId: product_id, vipId: vip_id }: { productId: number; vipId: number },
  network: string,
): Promise<ApiResult<OrderStatusView>> {
  const options = { networkMessage: network };
  const line = await api.post("/cart/auto-add", { product_id, vip_id }, options);
  if (!line.ok) return line;
  const order = await api.post(
    "/order/create",
    { cart_record_ids: [line.data.cart_id], expected_total: 0 },
    options,
  );
  if (!order.ok && [EMAIL_UNVERIFIED, PURCHASE_LIMIT, TOTAL_CHANGED].includes(order.code))
    await api.post("/cart/delete", { cart_id: line.data.cart_id }, options);
  announceCartChange();
  if (!order.ok) return order;
  return api.post("/order/free-payment", { order_id: order.data.order_id }, options);
}
