import { ScopedMessages } from "@/components/shell/scoped-messages";
import type { OrderView } from "@/lib/orders/contract";
import { OrderAgain } from "./order-again";

const MESSAGES = ["payments.unpaid", "catalog.pass_type", "catalog.pass_days", "errors.network"];

/** `OrderAgain` with its labels, for pages that provide no messages to their client components. */
export function OrderAgainOffer({ order }: { order: OrderView }) {
  return (
    <ScopedMessages branches={MESSAGES}>
      <OrderAgain order={order} />
    </ScopedMessages>
  );
}
