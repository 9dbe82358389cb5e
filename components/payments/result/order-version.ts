import type { OrderView } from "@/lib/orders/contract";

/** Changes when the order or the delivery of one of its passes gets on. */
export function orderVersion(order: Pick<OrderView, "status" | "order_products">): string {
  const lines = order.order_products.map((line) => `${line.state}${line.keys.length}`);
  return [order.status, ...lines].join(" ");
}
