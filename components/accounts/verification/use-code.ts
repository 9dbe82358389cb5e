"use client";

import { useState } from "react";
import type { CallError, Post } from "@/components/accounts/use-calls";
import { serverNow } from "@/components/ui/server-clock";
import { CODE_RESEND_SECONDS, type RequestableCodePurpose } from "@/lib/accounts/rules";

/** A code that is on its way. Times are milliseconds since the epoch, on the server's clock. */
export type SentCode = {
  email: string;
  /** Unknown when the code was sent before this page was opened; the newest one counts then. */
  id?: string;
  askedAt: number;
  nextAt: number;
  /** `already`: one was sent less than a minute ago. Else the server's sentence about too many deliveries. */
  refusal?: "already" | { message: string };
};

/** Asks for codes. A refused delivery still leads to the code field: an earlier code may be good (docs/product.md#92-messages). */
export function useCode(purpose: RequestableCodePurpose, post: Post) {
  const [sent, setSent] = useState<SentCode>();

  /** Null when there is something to enter a code for, else why not. */
  async function send(email: string): Promise<CallError | null> {
    const body = { email, verification_type: purpose };
    const answer = await post("/auth/send-verification-code", body);
    const askedAt = serverNow();
    if (answer.ok) {
      const { verification_id: id, resend_after } = answer.data;
      setSent({ email, id, askedAt, nextAt: askedAt + resend_after * 1000 });
      return null;
    }
    if (answer.code !== "42901") return answer;
    const seconds = answer.retryAfterSeconds ?? CODE_RESEND_SECONDS;
    setSent({
      email,
      id: sent?.email === email ? sent.id : undefined,
      askedAt,
      nextAt: askedAt + seconds * 1000,
      refusal: seconds <= CODE_RESEND_SECONDS ? "already" : { message: answer.message },
    });
    return null;
  }

  return { sent, send };
}
