"use client";

import { useTranslations } from "next-intl";
import { ConfirmOrderAction } from "./confirm-order-action";

/** Cancels an unpaid order after a confirmation. */
export function CancelOrder({ orderId, onDone }: { orderId: string; onDone?: () => void }) {
  const t = useTranslations("orders.actions");
  const labels = {
    button: t("cancel"),
    title: t("cancel_title"),
    text: t("cancel_text"),
    done: t("cancelled"),
  };
  return <ConfirmOrderAction path="/order/cancel" orderId={orderId} labels={labels} onDone={onDone} />;
}
