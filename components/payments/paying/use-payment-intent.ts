"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { PaymentIntentView } from "@/lib/payments/contract";
import { api } from "@/lib/platform/api/client";

export type OpenedPayment =
  | { kind: "opening" }
  | { kind: "open"; intent: PaymentIntentView }
  | { kind: "failed"; code: string; message: string; retry: () => void };

const OPENING: OpenedPayment = { kind: "opening" };

/**
 * Opens the payment of an order. Repeated requests return the same intent
 * (`/payment/stripe/create-payment-intent`, docs/product.md#75-orders-and-payment).
 */
export function usePaymentIntent(orderId: string, networkMessage: string): OpenedPayment {
  const [opened, setOpened] = useState(OPENING);
  const latestRequest = useRef(0);

  const open = useCallback(async () => {
    latestRequest.current += 1;
    const requestNumber = latestRequest.current;
    setOpened(OPENING);
    const result = await api.post(
      "/payment/stripe/create-payment-intent",
      { order_id: orderId },
      { networkMessage },
    );
    if (requestNumber !== latestRequest.current) return;
    if (result.ok) return setOpened({ kind: "open", intent: result.data });
    const { code, message } = result;
    setOpened({ kind: "failed", code, message, retry: () => void open() });
  }, [orderId, networkMessage]);

  useEffect(() => {
    void open();
    return () => {
      latestRequest.current += 1;
    };
  }, [open]);
  return opened;
}
