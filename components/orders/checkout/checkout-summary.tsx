"use client";

import { useLocale, useTranslations } from "next-intl";
import { OrderSummary } from "@/components/orders/history/order-summary";
import { ApproximatePrice } from "@/components/payments/approximate-price";
import { ChargedCurrency } from "@/components/payments/charged-currency";
import type { OrderDetail } from "@/lib/orders/contract";
import { formatPrice, toCents } from "@/lib/platform/money";
import { CheckoutCoupon, type OrderCoupon } from "./checkout-coupon";

/** What is bought and what it costs: first on phones, beside the steps on desktop, always in sight there. */
export function CheckoutSummary({ order, coupon }: { order: OrderDetail; coupon?: OrderCoupon }) {
  const t = useTranslations("orders.checkout");
  return (
    <aside
      aria-label={t("summary")}
      className="@container flex min-w-0 flex-col gap-3 lg:sticky lg:top-6 lg:order-2"
    >
      <OrderSummary order={order} sums={coupon ? "none" : "all"} />
      {coupon && <Sums order={order} coupon={coupon} />}
    </aside>
  );
}

/** The costs, with the coupon by name. */
function Sums({ order, coupon }: { order: OrderDetail; coupon: OrderCoupon }) {
  const t = useTranslations("orders.checkout");
  const locale = useLocale();
  const total = order.final_amount === 0 ? t("free") : formatPrice(toCents(order.final_amount), locale);
  return (
    <div className="flex flex-col gap-2">
      {order.discount_amount > 0 && (
        <p className="flex justify-between gap-6 text-quiet">
          <span>{t("subtotal")}</span>
          <span className="figures">{formatPrice(toCents(order.subtotal), locale)}</span>
        </p>
      )}
      {order.subtotal > 0 && <CheckoutCoupon order={order} coupon={coupon} />}
      <div aria-live="polite" className="flex flex-col items-end border-t border-hairline pt-2.5">
        <p className="flex w-full items-baseline justify-between gap-6">
          <span>{t("total")}</span>
          <span className="figures text-21 font-semibold">{total}</span>
        </p>
        <ApproximatePrice cents={toCents(order.final_amount)} />
        {order.final_amount > 0 && <ChargedCurrency />}
      </div>
    </div>
  );
}
