"use client";

import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useId } from "react";
import { OrderHold } from "@/components/orders/history/order-hold";
import { ApproximatePrice } from "@/components/payments/approximate-price";
import { ChargedCurrency } from "@/components/payments/charged-currency";
import { StickyBar } from "@/components/ui/sticky-bar";
import type { OrderDetail } from "@/lib/orders/contract";
import { formatMoment } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";

/** A numbered step of the checkout. All steps are on one page. */
export function CheckoutStep({
  number,
  title,
  children,
}: {
  number: number;
  title: string;
  children: ReactNode;
}) {
  const t = useTranslations("orders.checkout");
  const id = useId();
  return (
    <section aria-labelledby={id} className="@container flex flex-col gap-4">
      <h2 id={id} className="flex items-center gap-3 text-21">
        <span
          aria-hidden="true"
          className="figures grid size-7 flex-none place-items-center rounded-full border border-control text-15"
        >
          {number}
        </span>
        <span className="sr-only">{t("step", { number })} </span>
        {title}
      </h2>
      {children}
    </section>
  );
}

/** The total, the remaining hold time and the pay button. The bar is always visible. */
export function CheckoutBar({
  order,
  onEnd,
  children,
}: {
  order: OrderDetail;
  onEnd?: () => void;
  children?: ReactNode;
}) {
  const t = useTranslations("orders.checkout");
  const locale = useLocale();
  const total = order.final_amount === 0 ? t("free") : formatPrice(toCents(order.final_amount), locale);
  return (
    <StickyBar>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="text-13 text-quiet">{t("total")}</span>
          <span className="figures text-21 font-semibold">{total}</span>
        </p>
        <ApproximatePrice cents={toCents(order.final_amount)} />
        {order.final_amount > 0 && <ChargedCurrency />}
        {order.can_pay && (
          <OrderHold
            order={order}
            spoken={t("held_until", { moment: formatMoment(order.hold_ends_at, locale) })}
            onEnd={onEnd}
          />
        )}
      </div>
      {children}
    </StickyBar>
  );
}
