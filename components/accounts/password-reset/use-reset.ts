"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { flushSync } from "react-dom";
import { toFieldErrors } from "@/components/accounts/registration/register-form-data";
import type { CallError, Post } from "@/components/accounts/use-calls";
import { type ReadField, useForm } from "@/components/accounts/use-form";
import { useCode } from "@/components/accounts/verification/use-code";
import { isEmailLike } from "@/lib/accounts/registration/rules";
import { CODE_DIGITS, MIN_PASSWORD_LENGTH } from "@/lib/accounts/rules";

export type NewLogin = { email: string; password: string; post: Post };
type Step = "address" | "code" | "password";

/** The three steps of a password reset: email, emailed code, new password. `signedInEmail` skips the first. */
export function useReset(signedInEmail: string | undefined, onReset: (login: NewLogin) => Promise<unknown>) {
  const t = useTranslations();
  const callForm = useForm(t("errors.network"));
  const { show, setProblem, run, post } = callForm;
  const { sent, send } = useCode("reset_password", post);
  const [step, setStep] = useState<Step>("address");
  const [code, setCode] = useState("");

  function showError(error: CallError): void {
    const fieldErrors = toFieldErrors(error);
    const password = error.errors.find(({ path }) => path === "new_password")?.message;
    if (password) show({ password });
    else if (fieldErrors?.user_email && step === "address") show({ email: fieldErrors.user_email });
    else if (fieldErrors?.verification_code) {
      flushSync(() => setStep("code"));
      show({ verification_code: fieldErrors.verification_code });
    } else setProblem(error.message);
  }

  async function requestCode(email: string) {
    const error = await send(email);
    if (error) showError(error);
    else setStep("code");
  }

  async function check(enteredCode: string) {
    const verification = {
      email: sent?.email ?? "",
      verification_code: enteredCode,
      verification_id: sent?.id,
    };
    const result = await post("/auth/verify-reset-code", verification);
    if (!result.ok) return showError(result);
    setCode(enteredCode);
    setStep("password");
  }

  async function save(password: string) {
    const email = sent?.email ?? "";
    const verification = { email, verification_code: code, verification_id: sent?.id };
    const result = await post("/auth/reset-password", { ...verification, new_password: password });
    return result.ok ? onReset({ email, password, post }) : showError(result);
  }

  function submit(text: ReadField): void {
    if (step === "address") {
      const email = signedInEmail ?? text("email").trim().toLowerCase();
      if (!isEmailLike(email)) show({ email: t("errors.email_invalid") });
      else void run("send", () => requestCode(email));
    } else if (step === "code") {
      const enteredCode = text("verification_code");
      if (enteredCode.length < CODE_DIGITS)
        show({ verification_code: t("accounts.missing.code", { count: CODE_DIGITS }) });
      else void run("check", () => check(enteredCode));
    } else {
      const password = text("password");
      if (password.length < MIN_PASSWORD_LENGTH) show({ password: t("errors.password_short") });
      else if (text("repeat") !== password) show({ repeat: t("errors.passwords_differ") });
      else void run("save", () => save(password));
    }
  }

  return {
    ...callForm,
    step,
    sent,
    submit,
    resend: () => {
      setProblem(undefined);
      void run("resend", () => requestCode(sent?.email ?? ""));
    },
    restart: () => {
      setProblem(undefined);
      setStep("address");
    },
  };
}
