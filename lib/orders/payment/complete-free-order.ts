import { transaction } from "@/db/client";
import type { FreePaymentInput, OrderStatusView } from "@/lib/orders/contract";
import { chooseDeliveryByPaying } from "@/lib/orders/delivery-options/choose-delivery";
import { assignOrder } from "@/lib/orders/fulfilment/assign-order";
import { lockOrder } from "@/lib/orders/status/lock-order";
import { transition } from "@/lib/orders/status/transition";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";

/**
 * Completes an order with a total of zero: paid, keys assigned and sent, in one call
 * (docs/product.md#84-free-passes-and-purchase-limits). With codes kept unrevealed it is shipped, and completed when
 * they are revealed. Repeating it returns the same result.
 * @throws ShopError order_unknown, free_payment_not_zero, order_not_payable, amount_differs, email_unverified,
 * unrevealed_returns
 */
export async function completeFreeOrder(
  viewer: UserViewer,
  input: FreePaymentInput,
  locale: Locale = viewer.locale,
  ip?: string,
): Promise<OrderStatusView> {
  return transaction(async (tx) => {
    const order = await lockOrder(tx, input.order_id, viewer.userId);
    if (!order) throw new ShopError("order_unknown");
    if (order.totalCents > 0) throw new ShopError("free_payment_not_zero");
    if (input.final_amount) throw new ShopError("amount_differs");
    // A free pass is limited to one per email identity, which needs a verified address
    // (docs/product.md#6-roles-and-access).
    if (!viewer.emailVerified) throw new ShopError("email_unverified");
    if (order.status === "pending") {
      if (order.holdExpired) throw new ShopError("order_not_payable");
      const choice = await chooseDeliveryByPaying(tx, { viewer, orderId: order.id, ip }, input, locale);
      await transition(tx, order, "free_completed");
      const status = await assignOrder(tx, order);
      // A free order is complete immediately, unless its codes stay unrevealed: the library shows them without the
      // email.
      const mailsCodes = choice.immediate_delivery && !choice.keep_in_library;
      if (status === "shipped" && mailsCodes) await transition(tx, order, "delivered", { reason: "free" });
    }
    if (order.status === "cancelled") throw new ShopError("order_not_payable");
    return { order_id: order.id, status: order.status };
  });
}
