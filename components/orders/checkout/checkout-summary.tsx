"use client";

import { useLocale, useTranslations } from "next-intl";
import { OrderSummary } from "@/components/orders/history/order-summary";
import { useAddedTax, useTaxText } from "@/components/orders/tax/use-tax-text";
import { ApproximatePrice } from "@/components/payments/approximate-price";
import { ChargedCurrency } from "@/components/payments/charged-currency";
import { LocalTimes } from "@/components/ui/local-times";
import type { OrderDetail, OrderProduct } from "@/lib/orders/contract";
import { durationSpan, formatDate, spanText } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";
import { CheckoutCoupon, type OrderCoupon } from "./checkout-coupon";

/** What is bought and what it costs: first on phones, beside the steps on desktop, always in sight there. */
export function CheckoutSummary({
  order,
  coupon,
  running = {},
}: {
  order: OrderDetail;
  coupon?: OrderCoupon;
  /** when the buyer's running passes of the same products end */
  running?: Record<number, string>;
}) {
  const t = useTranslations("orders.checkout");
  return (
    <aside
      aria-label={t("summary")}
      className="@container flex min-w-0 flex-col gap-3 lg:sticky lg:top-6 lg:order-2"
    >
      <OrderSummary order={order} sums={coupon ? "none" : "all"} />
      {order.order_products.map((line) => (
        <RunsAlready key={line.order_product_id} line={line} endsAt={running[line.product_id]} />
      ))}
      {coupon && <Sums order={order} coupon={coupon} />}
    </aside>
  );
}

/** Says what is bought beside a running pass of the same product: another code, not a longer pass. */
function RunsAlready({ line, endsAt }: { line: OrderProduct; endsAt: string | undefined }) {
  const t = useTranslations("orders.checkout");
  const locale = useLocale();
  if (!endsAt || line.duration_days === null) return null;
  const span = spanText(durationSpan(line.duration_days, locale), locale);
  const values = { name: line.product_name, date: formatDate(endsAt, locale), span };
  return (
    <p className="rounded-control bg-sunk px-3.5 py-2.5 text-13">
      <LocalTimes of={[endsAt]}>{t("runs", values)}</LocalTimes>
    </p>
  );
}

/** The costs, with the coupon by name. */
function Sums({ order, coupon }: { order: OrderDetail; coupon: OrderCoupon }) {
  const t = useTranslations("orders.checkout");
  const locale = useLocale();
  const tax = useTaxText(order);
  const added = useAddedTax(order);
  const total = order.final_amount === 0 ? t("free") : formatPrice(toCents(order.final_amount), locale);
  return (
    <div className="flex flex-col gap-2">
      {(order.discount_amount > 0 || added) && (
        <p className="flex justify-between gap-6 text-quiet">
          <span>{t("subtotal")}</span>
          <span className="figures">{formatPrice(toCents(order.subtotal), locale)}</span>
        </p>
      )}
      {order.subtotal > 0 && <CheckoutCoupon order={order} coupon={coupon} />}
      {added && (
        <p className="flex justify-between gap-6 text-quiet">
          <span>{added.term}</span>
          <span className="figures">{added.value}</span>
        </p>
      )}
      <div aria-live="polite" className="flex flex-col items-end border-t border-hairline pt-2.5">
        <p className="flex w-full items-baseline justify-between gap-6">
          <span>{t("total")}</span>
          <span className="figures text-21 font-semibold">{total}</span>
        </p>
        {tax && <p className="text-13 text-quiet">{tax}</p>}
        <ApproximatePrice cents={toCents(order.final_amount)} />
        {order.final_amount > 0 && <ChargedCurrency />}
      </div>
    </div>
  );
}
