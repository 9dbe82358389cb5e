"use client";

import { useState } from "react";
import type { CallError } from "@/components/accounts/use-calls";
import { type FieldErrors, type ReadField, useForm } from "@/components/accounts/use-form";
import { serverNow } from "@/components/ui/server-clock";
import { CODE_DIGITS, CODE_RESEND_SECONDS, type RequestableCodePurpose } from "@/lib/accounts/rules";
import type { CodeLabels } from "./use-code-labels";

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

/** A form with a code that is sent to an email. */
export function useCodeForm(purpose: RequestableCodePurpose, labels: CodeLabels) {
  const callForm = useForm(labels.network);
  const { show, setProblem, run, post } = callForm;
  const [sent, setSent] = useState<SentCode>();

  /** Returns null when a code can be entered: after a refused delivery too, because an earlier code may be valid. */
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

  /** Sends a code. `onResult` receives null when a code can be entered, otherwise the error. */
  function sendCode(email: string, onResult?: (error: CallError | null) => void): void {
    setProblem(undefined);
    void run("send", async () => {
      const error = await send(email);
      if (onResult) onResult(error);
      else if (error) showCodeError(error);
    });
  }

  /** Shows an error of the server, at the code field when it concerns the code. */
  function showCodeError(error: CallError): void {
    const codeError = toFieldErrors(error)?.verification_code;
    if (codeError) show({ verification_code: codeError });
    else setProblem(error.message);
  }

  /** The entered code. An incomplete code shows an error and returns null. */
  function readCode(text: ReadField): string | null {
    const code = text("verification_code");
    if (code.length >= CODE_DIGITS) return code;
    show({ verification_code: labels.missing });
    return null;
  }

  return { ...callForm, sent, sendCode, showCodeError, readCode };
}

const FIELDS = [
  "username",
  "user_email",
  "user_password",
  "age_group",
  "accept_privacy",
  "verification_code",
];
/** The API that sends codes uses another field name for the email. */
const ALIASES: Record<string, string> = { email: "user_email" };
/** Error codes that concern one field without naming it: email taken, code wrong, code expired, too many attempts. */
const FIELD_BY_ERROR_CODE: Record<string, string> = {
  "409": "user_email",
  "40001": "verification_code",
  "40002": "verification_code",
  "42901": "verification_code",
};

/** Maps the server's messages to their form fields, or returns null when they concern no field. */
export function toFieldErrors({ code, message, errors }: CallError): FieldErrors | null {
  const fieldErrors = errors
    .map((issue): [string, string] => [ALIASES[issue.path] ?? issue.path, issue.message])
    .filter(([name]) => FIELDS.includes(name));
  if (fieldErrors.length > 0) return Object.fromEntries(fieldErrors);
  const field = FIELD_BY_ERROR_CODE[code];
  return field ? { [field]: message } : null;
}
