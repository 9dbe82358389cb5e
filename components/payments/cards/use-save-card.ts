"use client";

import { useCallback, useRef, useState } from "react";
import { api } from "@/lib/platform/api/client";

/** Tells the server the wish before the payment; answers what went wrong, or null. */
export type PreparePayment = () => Promise<string | null>;

/** The wish to keep the card that pays: said at the provider only when it changed, and only when one pays. */
export function useSaveCard(orderId: string, networkMessage: string) {
  const [save, setSave] = useState(false);
  const said = useRef(false);
  const prepare: PreparePayment = useCallback(async () => {
    if (said.current === save) return null;
    const body = { order_id: orderId, save_card: save };
    const answer = await api.post("/payment/stripe/create-payment-intent", body, { networkMessage });
    if (!answer.ok) return answer.message;
    said.current = save;
    return null;
  }, [orderId, networkMessage, save]);
  return { save, setSave, prepare };
}
