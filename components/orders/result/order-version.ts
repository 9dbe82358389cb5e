import type { OrderView } from "@/lib/orders/contract";

/** A value that changes whenever the order's status, its running payment, its gift or the delivery of a pass changes. */
export function orderVersion(
  order: Pick<OrderView, "status" | "open_payment" | "order_products" | "gift">,
): string {
  const lines = order.order_products.map(
    ({ state, keys }) => `${state}${keys.length}${keys.filter((key) => key.seen).length}`,
  );
  return [order.status, order.open_payment?.state, order.gift?.state, ...lines].join(" ");
}
