"use client";

import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useId } from "react";
import { OrderHold } from "@/components/orders/history/order-hold";
import { StickyBar } from "@/components/ui/sticky-bar";
import type { OrderDetail } from "@/lib/orders/contract";
import { formatMoment } from "@/lib/platform/format";

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

/** The remaining hold time and the pay button, which names the total, in one line. The bar is always visible. */
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
  return (
    <StickyBar>
      {order.can_pay && (
        <OrderHold
          short
          order={order}
          spoken={t("held_until", { moment: formatMoment(order.hold_ends_at, locale) })}
          onEnd={onEnd}
        />
      )}
      <div className="flex min-w-0 flex-1 justify-end *:max-w-full *:flex-1 md:*:flex-none">{children}</div>
    </StickyBar>
  );
}
