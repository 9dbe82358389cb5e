"use client";

import { useState } from "react";
import { useSaveCard } from "@/components/payments/cards/use-save-card";
import type { SandboxOutcome } from "@/lib/payments/rules";
import type { PaymentMethod } from "./payment-methods";

/** The selected payment method. It is kept above the form, because the form unmounts during a wait and may return. */
export function usePayChoice(orderId: string, networkMessage: string) {
  const [method, setMethod] = useState<PaymentMethod>("card");
  const [outcome, setOutcome] = useState<SandboxOutcome>("succeeded");
  const saving = useSaveCard(orderId, networkMessage);
  return { method, setMethod, outcome, setOutcome, ...saving };
}
