"use client";

import { CancelOrder } from "@/components/orders/history/cancel-order";
import { useNavigate } from "@/components/ui/link";

/** Cancels the order after a confirmation. */
export function CheckoutCancel({ orderId }: { orderId: string }) {
  const navigate = useNavigate();
  return (
    <div className="flex justify-center">
      <CancelOrder
        orderId={orderId}
        onDone={() => navigate(`/payment/cancel?order_id=${orderId}`, { replace: true })}
      />
    </div>
  );
}
