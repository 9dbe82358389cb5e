import type { OrderProduct } from "@/lib/orders/contract";
import { RefundRequest } from "./refund-request";
import { useRefundWords } from "./use-refund-words";

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
  const words = useRefundWords(line);
  return (
    <RefundRequest orderId={orderId} lineId={line.order_product_id} words={words} className={className} />
  );
}
