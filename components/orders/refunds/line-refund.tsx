import type { OrderProduct } from "@/lib/orders/contract";
import { RefundRequest } from "./refund-request";
import { useRefundLabels } from "./use-refund-labels";

/** The button that opens a refund request for a line, with its labels. */
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
