"use client";

import { OrderQuestion } from "./order-question";
import type { OrderActionWords } from "./use-order-words";

/** Cancels an unpaid order, after asking. */
export function CancelOrder({ orderId, words }: { orderId: string; words: OrderActionWords }) {
  return (
    <OrderQuestion
      path="/order/cancel"
      orderId={orderId}
      words={{
        ...words,
        button: words.cancel,
        title: words.cancelTitle,
        text: words.cancelText,
        done: words.cancelled,
      }}
    />
  );
}
