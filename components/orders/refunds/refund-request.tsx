"use client";

import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { ConfirmAction } from "@/components/orders/history/order-actions";
import { showToast } from "@/components/ui/toast";
import { api } from "@/lib/platform/api/client";

/** Submits a refund request for a line. `children` is the content of the confirmation dialog. */
export function RefundRequest({
  orderId,
  lineId,
  labels,
  className,
  children,
}: {
  orderId: string;
  lineId: string;
  labels: Parameters<typeof ConfirmAction>[0]["labels"] & { approved: string; sent: string };
  className?: string;
  children: ReactNode;
}) {
  const router = useRouter();
  const body = { order_id: orderId, order_product_id: lineId };
  return (
    <ConfirmAction
      labels={labels}
      className={className}
      send={(options) => api.post("/order/refund/request", body, options)}
      onDone={({ state }) => {
        showToast(state === "approved" ? labels.approved : labels.sent);
        router.refresh();
      }}
    >
      {children}
    </ConfirmAction>
  );
}
