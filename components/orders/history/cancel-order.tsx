"use client";

import { ConfirmOrderAction } from "./confirm-order-action";
import type { OrderActionLabels } from "./use-order-labels";

/** Cancels an unpaid order after a confirmation. */
export function CancelOrder({ orderId, labels }: { orderId: string; labels: OrderActionLabels }) {
  return (
    <ConfirmOrderAction
      path="/order/cancel"
      orderId={orderId}
      labels={{
        ...labels,
        button: labels.cancel,
        title: labels.cancelTitle,
        text: labels.cancelText,
        done: labels.cancelled,
      }}
    />
  );
}
