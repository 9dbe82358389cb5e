"use client";

import { useNavigate } from "@/components/ui/link";
import { OrderQuestion } from "./order-question";
import type { OrderActionWords } from "./use-order-words";

/** Takes a finished order out of the list, after asking; from the order's own page it leads back to the list. */
export function DeleteOrder({
  orderId,
  words,
  leave = false,
}: {
  orderId: string;
  words: OrderActionWords;
  leave?: boolean;
}) {
  const navigate = useNavigate();
  return (
    <OrderQuestion
      path="/order/delete"
      orderId={orderId}
      words={{
        ...words,
        button: words.remove,
        title: words.removeTitle,
        text: words.removeText,
        done: words.removed,
      }}
      onDone={leave ? () => navigate("/order-history", { replace: true }) : undefined}
    />
  );
}
