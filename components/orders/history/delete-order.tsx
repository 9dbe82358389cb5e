"use client";

import { useTranslations } from "next-intl";
import { useNavigate } from "@/components/ui/link";
import { ConfirmOrderAction } from "./confirm-order-action";

/**
 * Removes a finished order from the list after a confirmation. On the order's own page it then returns to the list.
 */
export function DeleteOrder({ orderId, leave = false }: { orderId: string; leave?: boolean }) {
  const t = useTranslations("orders.actions");
  const navigate = useNavigate();
  const labels = {
    button: t("remove"),
    title: t("remove_title"),
    text: t("remove_text"),
    done: t("removed"),
  };
  return (
    <ConfirmOrderAction
      path="/order/delete"
      orderId={orderId}
      labels={labels}
      onDone={leave ? () => navigate("/order-history", { replace: true }) : undefined}
    />
  );
}
