"use client";

import { useTranslations } from "next-intl";
import { OrderSummary } from "@/components/orders/history/order-summary";
import { OrderAgain } from "@/components/payments/result/order-again";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import type { OrderDetail } from "@/lib/orders/contract";

/** Shown when the order can no longer be paid: the reason, what was kept and the next steps. */
export function CheckoutClosed({ order }: { order: OrderDetail }) {
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
