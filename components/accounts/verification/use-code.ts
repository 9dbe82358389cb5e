"use client";

import { useState } from "react";
import type { CallError, Post } from "@/components/accounts/use-calls";
import { serverNow } from "@/components/ui/server-clock";
import { CODE_RESEND_SECONDS, type RequestableCodePurpose } from "@/lib/accounts/rules";

/** A sent code. Times are milliseconds since the epoch on the server's clock. */
export type SentCode = {
  email: string;
  /** Undefined when the code was sent before this page was opened. The newest code counts in that case. */
  id?: string;
  requestedAt: number;
  resendAt: number;
  /** `already`: a code was sent within the last minute. Otherwise the message about too many codes. */
  refusal?: "already" | { message: string };
};

/** A refused delivery still shows the code field, because an earlier code may be valid. */
export function useCode(purpose: RequestableCodePurpose, post: Post) {
  const [sent, setSent] = useState<SentCode>();

  /** Returns null when a code can be entered, otherwise the error. */
  async function send(email: string): Promise<CallError | null> {
    const body = { email, verification_type: purpose };
    const result = await post("/auth/send-verification-code", body);
    const requestedAt = serverNow();
    if (result.ok) {
      const { verification_id: id, resend_after } = result.data;
      setSent({ email, id, requestedAt, resendAt: requestedAt + resend_after * 1000 });
      return null;
    }
    if (result.code !== "42901") return result;
    const seconds = result.retryAfterSeconds ?? CODE_RESEND_SECONDS;
    setSent({
      email,
      id: sent?.email === email ? sent.id : undefined,
      requestedAt,
      resendAt: requestedAt + seconds * 1000,
      refusal: seconds <= CODE_RESEND_SECONDS ? "already" : { message: result.message },
    });
    return null;
  }

  return { sent, send };
}
