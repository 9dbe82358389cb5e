"use client";

import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { ConfirmAction } from "@/components/orders/history/order-actions";
import { showToast } from "@/components/ui/toast";
import { api } from "@/lib/platform/api/client";

/** Submits a refund request for a line. `children` is the content of the confirmation dialog. */
export function RefundRequest({
  line,
  labels,
  ...rest
}: {
  line: { order_id: string; order_product_id: string };
  labels: Parameters<typeof ConfirmAction>[0]["labels"] & { approved: string; sent: string };
  className?: string;
  children: ReactNode;
}) {
  const router = useRouter();
  return (
    <ConfirmAction
      {...rest}
      labels={labels}
      send={(options) => api.post("/order/refund/request", line, options)}
      onDone={({ state }) => {
        showToast(state === "approved" ? labels.approved : labels.sent);
        router.refresh();
      }}
    />
  );
}
