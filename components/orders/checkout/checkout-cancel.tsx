"use client";

import { useTranslations } from "next-intl";
import { ConfirmOrderAction } from "@/components/orders/history/confirm-order-action";
import { useNavigate } from "@/components/ui/link";

/** Cancels the order after a confirmation. */
export function CheckoutCancel({ orderId }: { orderId: string }) {
  const t = useTranslations("orders.actions");
  const network = useTranslations("errors")("network");
  const navigate = useNavigate();
  return (
    <div className="flex justify-center">
      <ConfirmOrderAction
        path="/order/cancel"
        orderId={orderId}
        labels={{
          button: t("cancel"),
          title: t("cancel_title"),
          text: t("cancel_text"),
          done: t("cancelled"),
          keep: t("keep"),
          close: t("close"),
          network,
        }}
        onDone={() => navigate(`/payment/cancel?order_id=${orderId}`, { replace: true })}
      />
    </div>
  );
}
