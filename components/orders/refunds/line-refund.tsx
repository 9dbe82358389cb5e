import type { OrderProduct } from "@/lib/orders/contract";
import { RefundRequest } from "./refund-request";
import { useRefundLabels } from "./use-refund-labels";

/** The button that asks for the money of a line back, with its words. */
export function LineRefund({
  line,
  orderId,
  className,
}: {
  line: OrderProduct;
  orderId: string;
  className?: string;
}) {
  const labels = useRefundLabels(line);
  return (
    <RefundRequest orderId={orderId} lineId={line.order_product_id} labels={labels} className={className} />
  );
}
