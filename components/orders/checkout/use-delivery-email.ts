"use client";

import { useState } from "react";
import { api } from "@/lib/platform/api/client";

const EMAIL_NOT_VERIFIED = "40902";

export type DeliveryEmail = ReturnType<typeof useDeliveryEmail>;

/**
 * Changes an order's delivery email. Where needed, the email is verified with an emailed code and the change is
 * requested again.
 */
export function useDeliveryEmail(orderId: string, networkMessage: string, onSaved: (email: string) => void) {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [codeFor, setCodeFor] = useState<string | null>(null);
  /** The last email that a code was sent to. An immediate second request would be refused. */
  const [sentTo, setSentTo] = useState<string | null>(null);

  async function save(email: string): Promise<void> {
    const address = email.trim().toLowerCase();
    if (address === sentTo) return setCodeFor(address);
    await requestChange(address);
  }

  async function requestChange(address: string): Promise<void> {
    setPending(true);
    setProblem(null);
    const body = { order_id: orderId, send_email: address };
    const result = await api.post("/order/update/email", body, { networkMessage });
    setPending(false);
    if (result.ok) return onSaved(result.data.send_email);
    if (result.code === EMAIL_NOT_VERIFIED) {
      setSentTo(address);
      return setCodeFor(address);
    }
    const fieldError = result.errors.find((error) => error.path === "send_email");
    setProblem(fieldError?.message ?? result.message);
  }

  async function verify(code: string): Promise<void> {
    if (codeFor === null || pending) return;
    setPending(true);
    setProblem(null);
    const result = await api.post("/auth/email/verify-code", { email: codeFor, code }, { networkMessage });
    if (result.ok) {
      setSentTo(null);
      return requestChange(codeFor);
    }
    setPending(false);
    const fieldError = result.errors.find((error) => error.path === "code");
    setProblem(fieldError?.message ?? result.message);
  }

  const reset = () => {
    setProblem(null);
    setCodeFor(null);
  };
  return { pending, problem, codeFor, save, verify, reset };
}
