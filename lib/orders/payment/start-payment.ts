import { db, transaction } from "@/db/client";
import { chooseDeliveryByPaying } from "@/lib/orders/delivery-options/choose-delivery";
import type { StartPaymentInput } from "@/lib/orders/delivery-options/contract";
import { requireMayKeepUnrevealed } from "@/lib/orders/returns/must-deliver-now";
import { isPayable } from "@/lib/orders/rules";
import { lockOrder } from "@/lib/orders/status/lock-order";
import type { PaymentIntentView } from "@/lib/payments/contract";
import { createPaymentIntent } from "@/lib/payments/create-payment-intent";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";

/**
 * Opens the payment of an order, or returns the open one, and stores the delivery choice before the client can pay
 * (docs/product.md#83-delivery). Repeating it with another choice changes it while the order is payable.
 * @throws ShopError order_unknown, order_not_payable, amount_differs, provider_unavailable, session_ended,
 * unrevealed_returns
 */
export async function startPayment(
  viewer: UserViewer,
  { keep_in_library, immediate_delivery, choose_later, ...input }: StartPaymentInput,
  locale: Locale = viewer.locale,
  ip?: string,
): Promise<PaymentIntentView> {
  // Before the provider is called; what the order chose before is checked below.
  if (keep_in_library || immediate_delivery === false)
    await requireMayKeepUnrevealed(db, viewer, input.order_id, ip);
  const intent = await createPaymentIntent(viewer, input);
  await transaction(async (tx) => {
    const order = await lockOrder(tx, input.order_id, viewer.userId);
    // Paid or cancelled during the call of the provider.
    if (!order || !isPayable(order.status) || order.cancelRequested) throw new ShopError("order_not_payable");
    const choice = { keep_in_library, immediate_delivery, choose_later };
    await chooseDeliveryByPaying(tx, { viewer, orderId: order.id, ip }, choice, locale);
  });
  return intent;
}
