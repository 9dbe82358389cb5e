"use client";

import { useRouter } from "next/navigation";
import { useCallback } from "react";
import { useNavigate } from "@/components/ui/link";
import { isPayable, type OrderStatus } from "@/lib/orders/rules";
import { PaymentWait } from "./payment-wait";
import { usePayment } from "./use-payment";

/**
 * Shown after returning from a bank's page. It polls until the payment is decided and then navigates to the matching
 * page.
 */
export function PaymentSettling({ orderId, email }: { orderId: string; email: string }) {
  const router = useRouter();
  const navigate = useNavigate();
  const onDecided = useCallback(
    async (status: OrderStatus) => {
      if (isPayable(status) || status === "cancelled")
        navigate(`/payment/error?order_id=${orderId}`, { replace: true });
      else router.refresh();
      return null;
    },
    [orderId, router, navigate],
  );
  const { phase } = usePayment({ orderId, running: true, onDecided });
  return <PaymentWait email={email} offline={phase.kind === "waiting" && phase.offline} />;
}
