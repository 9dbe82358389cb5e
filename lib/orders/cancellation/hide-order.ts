import { eq, sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { orders } from "@/db/schema/orders";
import type { OrderRef } from "@/lib/orders/contract";
import { isRefundOpen, type RefundFacts, selectRefunds } from "@/lib/orders/refunds/select-refunds";
import { isDeletable } from "@/lib/orders/rules";
import { lockOrder } from "@/lib/orders/status/lock-order";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";

/**
 * Hides an order from its owner's list (docs/product.md#42-order-status); the record stays.
 * @throws ShopError order_unknown, order_not_deletable
 */
export async function hideOrder(viewer: UserViewer, input: OrderRef): Promise<{ order_id: string }> {
  return transaction(async (tx) => {
    const order = await lockOrder(tx, input.order_id, viewer.userId);
    if (!order) throw new ShopError("order_unknown");
    const [refundFacts] = await tx.execute<RefundFacts>(sql`
      select ${selectRefunds()} from orders o where o.id = ${order.id}`);
    if (!isDeletable(order.status, isRefundOpen(refundFacts!))) throw new ShopError("order_not_deletable");
    await tx
      .update(orders)
      .set({ hiddenAt: sql`coalesce(${orders.hiddenAt}, shop_now())` })
      .where(eq(orders.id, order.id));
    return { order_id: order.id };
  });
}
