"use client";

import { useNavigate } from "@/components/ui/link";
import { ConfirmOrderAction } from "./confirm-order-action";
import type { OrderActionLabels } from "./use-order-labels";

/**
 * Removes a finished order from the list after a confirmation. On the order's own page it then returns to the list.
 */
export function DeleteOrder({
  orderId,
  labels,
  leave = false,
}: {
  orderId: string;
  labels: OrderActionLabels;
  leave?: boolean;
}) {
  const navigate = useNavigate();
  return (
    <ConfirmOrderAction
      path="/order/delete"
      orderId={orderId}
      labels={{
        ...labels,
        button: labels.remove,
        title: labels.removeTitle,
        text: labels.removeText,
        done: labels.removed,
      }}
      onDone={leave ? () => navigate("/order-history", { replace: true }) : undefined}
    />
  );
}
