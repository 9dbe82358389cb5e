"use client";

import { useTranslations } from "next-intl";
import { useCallback, useState } from "react";
import { CancelOrder } from "@/components/orders/history/order-actions";
import { OrderSummary } from "@/components/orders/history/order-summary";
import { PaymentWait } from "@/components/payments/paying/payment-wait";
import { usePayChoice } from "@/components/payments/paying/use-pay-choice";
import { usePayment } from "@/components/payments/paying/use-payment";
import { OrderAgain } from "@/components/payments/result/order-again";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { useNavigate } from "@/components/ui/link";
import { useReloadOnRestore } from "@/components/ui/use-reload-on-restore";
import type { OrderDetail } from "@/lib/orders/contract";
import { isPaid, isPayable, type OrderStatus } from "@/lib/orders/rules";
import { api } from "@/lib/platform/api/client";
import { CheckoutDelivery, useDeliveryChoice } from "./checkout-delivery";
import type { CheckoutAccount } from "./checkout-email";
import { CheckoutFree } from "./checkout-free";
import { CheckoutPay } from "./checkout-pay";
import { CheckoutBar } from "./checkout-step";

/** The checkout form. After every change it reloads the order from the server. */
export function CheckoutForm({ initial, account }: { initial: OrderDetail; account: CheckoutAccount }) {
  const errors = useTranslations("errors");
  const navigate = useNavigate();
  const [order, setOrder] = useState(initial);
  const orderId = initial.order_id;

  const reload = useCallback(async () => {
    const result = await api.get("/order/detail", { order_id: orderId });
    if (!result.ok) return null;
    if (isPaid(result.data.status) || result.data.status === "refunded")
      navigate(`/payment/success?order_id=${orderId}`, { replace: true });
    else setOrder(result.data);
    return result.data;
  }, [orderId, navigate]);

  const unconfirmedMessage = errors("payment_unconfirmed");
  const onDecided = useCallback(
    async (status: OrderStatus) => {
      if (!isPayable(status) && status !== "cancelled") {
        navigate(`/payment/success?order_id=${orderId}`, { replace: true });
        return null;
      }
      // A refusal states its own reason. Without one, the provider saw no payment attempt.
      const current = await reload();
      return current?.status === "pending" && current.payment_error === null ? unconfirmedMessage : null;
    },
    [orderId, reload, navigate, unconfirmedMessage],
  );
  const payment = usePayment({ orderId, running: order.status === "processingPayment", onDecided });
  const choice = usePayChoice(orderId);
  const delivery = useDeliveryChoice(order, reload);
  const pay: typeof payment.pay = async (attempt) => {
    if (await delivery.whenSettled()) return payment.pay(attempt);
  };

  // The order may have been paid or closed in the meantime.
  useReloadOnRestore();

  if (payment.phase.kind === "waiting")
    return (
      <div className="flex flex-col gap-8">
        <PaymentWait email={order.send_email} offline={payment.phase.offline} />
        <OrderSummary order={order} total={false} />
        <CheckoutBar order={order} />
        <CheckoutCancel orderId={orderId} />
      </div>
    );
  if (!order.can_pay) return <CheckoutClosed order={order} />;
  const deliveryBox = <CheckoutDelivery order={order} delivery={delivery} />;
  const shared = { order, account, setOrder, reload, delivery: deliveryBox };
  return (
    <div className="flex flex-col gap-10">
      {order.final_amount === 0 ? (
        <CheckoutFree {...shared} whenSettled={delivery.whenSettled} />
      ) : (
        <CheckoutPay {...shared} payment={{ ...payment, pay }} choice={choice} />
      )}
      <CheckoutCancel orderId={orderId} />
    </div>
  );
}

/** Cancels the order after a confirmation. */
function CheckoutCancel({ orderId }: { orderId: string }) {
  const navigate = useNavigate();
  return (
    <div className="flex justify-center">
      <CancelOrder
        orderId={orderId}
        onDone={() => navigate(`/payment/cancel?order_id=${orderId}`, { replace: true })}
      />
    </div>
  );
}

/** Shown when the order can no longer be paid: the reason, what was kept and the next steps. */
function CheckoutClosed({ order }: { order: OrderDetail }) {
  const t = useTranslations("orders.checkout");
  const expired = order.status === "pending" || order.history.some((step) => step.event === "expired");
  return (
    <div className="flex flex-col gap-8">
      <EmptyState
        title={t(expired ? "expired_title" : "ended_title")}
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <OrderAgain order={order} />
            <ButtonLink href="/order-history">{t("missing_orders")}</ButtonLink>
          </div>
        }
      >
        {t(expired ? "expired_text" : "ended_text")}
      </EmptyState>
      <OrderSummary order={order} />
    </div>
  );
}
