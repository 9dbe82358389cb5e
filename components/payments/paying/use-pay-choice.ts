"use client";

import { useTranslations } from "next-intl";
import { useCallback, useRef, useState } from "react";
import type { SandboxOutcome } from "@/lib/payments/rules";
import { api } from "@/lib/platform/api/client";
import type { PaymentMethod } from "./payment-methods";

/** Saves the choice to store the card before the payment. Resolves with an error message or null. */
export type PreparePayment = () => Promise<string | null>;

/** The selected payment method. It is kept above the form, because the form unmounts during a wait and may return. */
export function usePayChoice(orderId: string) {
  const [method, setMethod] = useState<PaymentMethod>("card");
  const [outcome, setOutcome] = useState<SandboxOutcome>("succeeded");
  return { method, setMethod, outcome, setOutcome, ...useSaveCard(orderId) };
}

/**
 * Whether to store the card used for payment. The choice is sent to the provider on payment, and only when it
 * changed.
 */
function useSaveCard(orderId: string) {
  const networkMessage = useTranslations("errors")("network");
  const [save, setSave] = useState(false);
  const sentChoice = useRef(false);
  const prepare: PreparePayment = useCallback(async () => {
    if (sentChoice.current === save) return null;
    const body = { order_id: orderId, save_card: save };
    const result = await api.post("/payment/stripe/create-payment-intent", body, { networkMessage });
    if (!result.ok) return result.message;
    sentChoice.current = save;
    return null;
  }, [orderId, networkMessage, save]);
  return { save, setSave, prepare };
}
