"use client";

import { useState } from "react";
import { useSaveCard } from "@/components/payments/cards/use-save-card";
import type { SandboxOutcome } from "@/lib/payments/rules";
import type { PaymentMethod } from "./payment-methods";

/** What was picked to pay with. Kept above the form, which makes room for a wait and may come back after it. */
export function usePayChoice(orderId: string, networkMessage: string) {
  const [method, setMethod] = useState<PaymentMethod>("card");
  const [outcome, setOutcome] = useState<SandboxOutcome>("succeeded");
  const saving = useSaveCard(orderId, networkMessage);
  return { method, setMethod, outcome, setOutcome, ...saving };
}
