import { sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { isPayable } from "@/lib/orders/rules";
import { lockOrder } from "@/lib/orders/status/commands";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { DeliveryChoiceInput, DeliveryChoiceView } from "./contract";

/**
 * Saves how an order is delivered, until it is paid (`/order/update-delivery`, docs/product.md#83-delivery). Only
 * codes of refundable lines can be kept in the library. The consent to immediate delivery is stored on each line with
 * its time (docs/reliability.md#privacy); repeating it keeps the first time.
 * @throws ShopError order_unknown, delivery_frozen
 */
export async function chooseDelivery(
  viewer: UserViewer,
  input: DeliveryChoiceInput,
): Promise<DeliveryChoiceView> {
  return transaction(async (tx) => {
    const order = await lockOrder(tx, input.order_id, viewer.userId);
    if (!order) throw new ShopError("order_unknown");
    if (!isPayable(order.status)) throw new ShopError("delivery_frozen");
    await tx.execute(sql`
      update order_lines set
        keep_in_library = case when ${input.keep_in_library ?? null}::boolean is null then keep_in_library
          else ${input.keep_in_library ?? null}::boolean and (refund_rule->>'refundable')::boolean end,
        immediate_consent_at = case ${input.immediate_delivery ?? null}::boolean when true
          then coalesce(immediate_consent_at, shop_now()) when false then null else immediate_consent_at end
      where order_id = ${order.id}`);
    return choiceOf(tx, order.id);
  });
}

async function choiceOf(tx: Tx, orderId: string): Promise<DeliveryChoiceView> {
  const lines = await tx.execute<{ id: string; kept: boolean; agreed: boolean }>(sql`
    select id, keep_in_library as kept, immediate_consent_at is not null as agreed
    from order_lines where order_id = ${orderId} order by position`);
  const kept = lines.filter((line) => line.kept).map((line) => line.id);
  return {
    order_id: orderId,
    keep_in_library: kept.length > 0,
    immediate_delivery: lines.every((line) => line.agreed),
    kept_order_product_ids: kept,
  };
}
