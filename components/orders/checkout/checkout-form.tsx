"use client";

import { useLocale, useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { askSignIn } from "@/components/accounts/in-place/ask-sign-in";
import { useCalls } from "@/components/accounts/use-calls";
import { useVerifyLabels } from "@/components/accounts/verification/use-code-labels";
import { VerifyEmail } from "@/components/accounts/verification/verify-email";
import { CheckoutGift, useGift } from "@/components/orders/gifts/checkout-gift";
import { OrderAction } from "@/components/orders/history/order-actions";
import { OrderSummary } from "@/components/orders/history/order-summary";
import { OrderAgain } from "@/components/orders/result/order-again";
import { CheckoutBusiness } from "@/components/orders/tax/checkout-business";
import { PaymentWait } from "@/components/payments/paying/payment-wait";
import { usePayChoice, usePayment } from "@/components/payments/paying/use-payment";
import { handleSessionEnd } from "@/components/shell/session-summary";
import { Button, ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { useNavigate } from "@/components/ui/link";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { showToast } from "@/components/ui/toast";
import { useReloadOnRestore } from "@/components/ui/use-reload-on-restore";
import type { CartCoupons } from "@/lib/coupons/contract";
import type { OrderDetail } from "@/lib/orders/contract";
import { isPaid, isPayable, type OrderStatus } from "@/lib/orders/rules";
import { api } from "@/lib/platform/api/client";
import { formatMoment } from "@/lib/platform/format";
import { localizedPath } from "@/lib/platform/routing/paths";
import { browserTimeZone } from "@/lib/platform/time-zone";
import { useOrderCoupon } from "./checkout-coupon";
import { CheckoutDelivery, useDeliveryChoice } from "./checkout-delivery";
import { type CheckoutAccount, CheckoutEmail } from "./checkout-email";
import { CheckoutPay } from "./checkout-pay";
import { CheckoutBar, CheckoutStep } from "./checkout-step";
import { CheckoutSummary } from "./checkout-summary";

/** The checkout form. After every change it reloads the order from the server. */
export function CheckoutForm({
  initial,
  account,
  coupons,
  running,
  support,
  sandbox,
}: {
  initial: OrderDetail;
  account: CheckoutAccount;
  coupons: CartCoupons;
  running: Record<number, string>;
  support: string;
  sandbox: boolean;
}) {
  const t = useTranslations("orders.checkout");
  const errors = useTranslations("errors");
  const navigate = useNavigate();
  const [order, setOrder] = useState(initial);
  const orderId = initial.order_id;
  const giftStep = useTranslations("orders.gift")("step");
  const cancelRequested = useTranslations("orders.detail")("cancel_requested");

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
  const gift = useGift(order, reload);
  const coupon = useOrderCoupon(order, coupons, reload);
  useSessionGuard(order, payment.phase.kind !== "ready", reload);
  // The gift first, because its codes are not delivered to the buyer.
  const settle = async () => (await gift.settle()) && (await delivery.settle(gift.given));
  const settling = useRef(false);
  const pay: typeof payment.pay = async (attempt) => {
    if (settling.current || !delivery.check(gift.given)) return; // a second press, or nothing chosen
    settling.current = true;
    const settled = await settle();
    settling.current = false;
    if (settled) return payment.pay(attempt);
  };

  // The order may have been paid or closed in the meantime.
  useReloadOnRestore();

  const cancelOrder = (
    <div className="flex justify-center">
      <OrderAction
        action="cancel"
        orderId={orderId}
        leaveTo={`/payment/cancel?order_id=${orderId}`}
        running={payment.phase.kind === "waiting"}
        onChanged={() => void reload()}
      />
    </div>
  );
  if (payment.phase.kind === "waiting")
    return (
      <div className="flex flex-col gap-8">
        <PaymentWait
          email={order.send_email}
          offline={payment.phase.offline}
          unconfirmed={payment.phase.unconfirmed}
          contact={{ orderNumber: order.order_number, support }}
          onLook={payment.askNow}
        />
        {order.cancel_requested && <Notice>{cancelRequested}</Notice>}
        <CheckoutSummary order={order} />
        <CheckoutBar order={order} />
        {!order.cancel_requested && cancelOrder}
      </div>
    );
  if (!order.can_pay) return <CheckoutClosed order={order} />;
  return (
    // On phones all is one column, so that the bar to pay with is in sight from the top of the page on.
    <div className="focused-page flex flex-col gap-10 lg:grid lg:grid-cols-[minmax(0,1fr)_23rem] lg:items-start lg:gap-x-12">
      <CheckoutSummary order={order} coupon={coupon} running={gift.given ? {} : running} />
      <div className="contents min-w-0 flex-col gap-10 lg:flex">
        <CheckoutStep number={1} title={gift.given ? giftStep : t("step_email")}>
          <CheckoutEmail order={order} account={account} given={gift.given} onChanged={setOrder} />
          <CheckoutGift order={order} gift={gift} />
          <CheckoutDelivery
            delivery={delivery}
            given={gift.given}
            immediateOnly={order.immediate_only}
            free={order.final_amount === 0}
            taxed={order.tax !== null}
          />
          {(order.tax?.business || order.tax?.business_id) && (
            <CheckoutBusiness order={order} sandbox={sandbox} reload={reload} />
          )}
        </CheckoutStep>
        {order.final_amount === 0 ? (
          <CheckoutFree
            order={order}
            account={account}
            reload={reload}
            settle={settle}
            immediate={delivery.way === "email" && !gift.given}
          />
        ) : order.immediate_only && delivery.way !== "email" ? null : (
          <CheckoutPay
            order={order}
            reload={reload}
            payment={{ ...payment, pay }}
            choice={choice}
            // Each total has its own payment, also where the tax changes it.
            opening={`${coupon.opening} ${order.final_amount}`}
            repricing={coupon.pending}
            mayPay={() => delivery.check(gift.given)}
          />
        )}
        {cancelOrder}
      </div>
    </div>
  );
}

/**
 * Asks for the login over the checkout when the session ends there: it says what happened to the order, and nothing on
 * the page is lost.
 */
function useSessionGuard(order: OrderDetail, paying: boolean, reload: () => Promise<unknown>): void {
  const t = useTranslations("orders.checkout");
  const locale = useLocale();
  const page = useSurface();
  const asking = useRef(false);
  const latest = useRef({ order, paying });
  latest.current = { order, paying };
  useEffect(
    () =>
      handleSessionEnd(async () => {
        if (asking.current) return;
        asking.current = true;
        const { order, paying } = latest.current;
        const running = paying || order.status === "processingPayment";
        const note = running
          ? t("session_running")
          : t("session_held", { moment: formatMoment(order.hold_ends_at, locale, browserTimeZone()) });
        const returnPath = localizedPath(`/checkout?order_id=${order.order_id}`, page);
        const signedIn = await askSignIn({ purpose: "order", note, email: order.send_email, returnPath });
        asking.current = false;
        if (!signedIn) return;
        showToast(t("session_back"), "good");
        await reload();
      }),
    [t, locale, page, reload],
  );
}

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

/** The second step of a free order (docs/product.md#51-fields). */
function CheckoutFree({
  order,
  account,
  reload,
  settle,
  immediate,
}: {
  order: OrderDetail;
  account: CheckoutAccount;
  reload: () => Promise<unknown>;
  /** Saves what the page shows; false when it cannot be saved. */
  settle: () => Promise<boolean>;
  /** The buyer asks for immediate delivery. */
  immediate: boolean;
}) {
  const t = useTranslations("orders.checkout");
  const submitLabel = useTranslations("payments")("free");
  const verifyLabels = useVerifyLabels();
  const { pending, run, post } = useCalls(useTranslations("errors")("network"));
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string | null>(null);

  async function complete() {
    setProblem(null);
    if (!(await settle())) return;
    const body = { order_id: order.order_id, final_amount: 0, immediate_delivery: immediate };
    const result = await post("/order/free-payment", body);
    if (result.ok) {
      navigate(`/payment/success?order_id=${order.order_id}`, { replace: true });
      return "leaving";
    }
    setProblem(result.message);
    await reload();
  }

  return (
    <>
      <CheckoutStep number={2} title={t("step_review_free")}>
        {!account.verified && <VerifyEmail email={account.email} labels={verifyLabels} />}
        <ErrorNotice>{problem}</ErrorNotice>
      </CheckoutStep>
      <CheckoutBar order={order} onEnd={() => void reload()}>
        <Button
          look="primary"
          large
          pending={pending !== undefined}
          disabled={!account.verified}
          onClick={() => void run("complete", complete)}
        >
          {submitLabel}
        </Button>
      </CheckoutBar>
    </>
  );
}
