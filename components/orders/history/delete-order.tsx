"use client";

import { useTranslations } from "next-intl";
import { useNavigate } from "@/components/ui/link";
import { ConfirmOrderAction } from "./confirm-order-action";

/** Takes a finished order out of the list, after asking; from the order's own page it leads back to the list. */
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
