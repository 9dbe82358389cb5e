"use client";

import { OrderQuestion } from "./order-question";
import type { OrderActionLabels } from "./use-order-words";

/** Cancels an unpaid order, after asking. */
export function CancelOrder({ orderId, labels }: { orderId: string; labels: OrderActionLabels }) {
  return (
    <OrderQuestion
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
