"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { CallError, Post } from "@/components/accounts/use-calls";
import type { FieldErrors, ReadField } from "@/components/accounts/use-form";
import { CodeStep } from "@/components/accounts/verification/code-step";
import { toFieldErrors, useCodeForm } from "@/components/accounts/verification/use-code-form";
import { type CodeLabels, useCodeLabels } from "@/components/accounts/verification/use-code-labels";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PasswordInput } from "@/components/ui/password-input";
import { EmailInput } from "@/components/ui/text-input";
import { isEmailLike } from "@/lib/accounts/registration/rules";
import { CODE_MINUTES, MIN_PASSWORD_LENGTH } from "@/lib/accounts/rules";

/** The action of each step: email, emailed code, new password. */
const ACTIONS = { address: "send", code: "check", password: "submit" } as const;

/** Called after the new password was saved and used to sign in. `signedIn`: whether the sign-in succeeded. */
type OnReset = (signedIn: boolean, post: Post) => unknown;

/** `signedInEmail`: the form does not ask for it. `email` prefills the field. */
export function ResetForm({
  signedInEmail,
  email,
  onReset,
}: {
  signedInEmail?: string;
  email?: string;
  onReset: OnReset;
}) {
  const t = useTranslations("accounts.reset");
  const codeLabels = useResetCodeLabels(signedInEmail !== undefined);
  const reset = useReset(signedInEmail, codeLabels, onReset);
  const { errors, pending, problem, step, sent, formProps, submit, requestCode, restart } = reset;
  return (
    <form {...formProps(submit)} className="flex flex-col gap-5">
      {step === "address" && !signedInEmail && <Address email={sent?.email ?? email} error={errors.email} />}
      {step === "code" && sent && (
        <CodeStep sent={sent} form={reset} labels={codeLabels} onResend={() => requestCode(sent.email)} />
      )}
      {step === "password" && <NewPassword email={sent?.email} errors={errors} />}
      {problem && <Notice kind="bad" title={problem} live />}
      <div className="flex flex-col gap-2">
        <Button key={step} type="submit" look="primary" large block pending={pending === ACTIONS[step]}>
          {t(ACTIONS[step])}
        </Button>
        {step === "code" && !signedInEmail && (
          <Button look="quiet" block onClick={restart}>
            {t("other")}
          </Button>
        )}
      </div>
    </form>
  );
}

function useReset(signedInEmail: string | undefined, labels: CodeLabels, onReset: OnReset) {
  const t = useTranslations("errors");
  const codeForm = useCodeForm("reset_password", labels);
  const { show, setProblem, run, post, sent, sendCode, readCode } = codeForm;
  const [step, setStep] = useState<keyof typeof ACTIONS>("address");
  const [code, setCode] = useState("");
  const email = sent?.email ?? "";

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

  const requestCode = (address: string) =>
    sendCode(address, (error) => (error ? showError(error) : setStep("code")));

  async function check(enteredCode: string) {
    const verification = { email, verification_code: enteredCode, verification_id: sent?.id };
    const result = await post("/auth/verify-reset-code", verification);
    if (!result.ok) return showError(result);
    setCode(enteredCode);
    setStep("password");
  }

  async function save(password: string) {
    const verification = { email, verification_code: code, verification_id: sent?.id };
    const result = await post("/auth/reset-password", { ...verification, new_password: password });
    if (!result.ok) return showError(result);
    const login = await post("/auth/login/email", { user_email: email, user_password: password });
    return onReset(login.ok, post);
  }

  function submit(text: ReadField): void {
    if (step === "address") {
      const address = signedInEmail ?? text("email").trim().toLowerCase();
      if (!isEmailLike(address)) show({ email: t("email_invalid") });
      else requestCode(address);
    } else if (step === "code") {
      const enteredCode = readCode(text);
      if (enteredCode) void run(ACTIONS.code, () => check(enteredCode));
    } else {
      const password = text("password");
      if (password.length < MIN_PASSWORD_LENGTH) show({ password: t("password_short") });
      else if (text("repeat") !== password) show({ repeat: t("passwords_differ") });
      else void run(ACTIONS.password, () => save(password));
    }
  }

  function restart(): void {
    setProblem(undefined);
    setStep("address");
  }

  return { ...codeForm, step, submit, requestCode, restart };
}

/** The labels do not reveal whether the email has an account, except to its signed-in owner. */
function useResetCodeLabels(isSignedIn: boolean): CodeLabels {
  const t = useTranslations("accounts.reset");
  const labels = useCodeLabels();
  if (isSignedIn) return labels;
  return {
    ...labels,
    sent: t("sent", { email: "%s", minutes: CODE_MINUTES }),
    already: t("already", { email: "%s" }),
  };
}

function Address({ email, error }: { email?: string; error?: string }) {
  const t = useTranslations("accounts.field");
  return (
    <EmailInput
      label={t("email")}
      error={error}
      name="email"
      autoComplete="username"
      defaultValue={email}
      required
    />
  );
}

/** The email is included as a hidden field so that password managers store it with the password. */
function NewPassword({ email, errors }: { email?: string; errors: FieldErrors }) {
  const t = useTranslations("accounts");
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>("[name=password]")?.focus(), []);
  const toggleLabels = { show: t("field.show"), hide: t("field.hide") };
  return (
    <div ref={box} className="flex flex-col gap-5">
      <input hidden type="email" name="email" autoComplete="username" value={email} readOnly />
      <PasswordInput
        label={t("reset.password")}
        hint={errors.password ? undefined : t("field.password_hint", { count: MIN_PASSWORD_LENGTH })}
        error={errors.password}
        labels={toggleLabels}
        name="password"
        autoComplete="new-password"
        maxLength={200}
        required
      />
      <PasswordInput
        label={t("reset.repeat")}
        error={errors.repeat}
        labels={toggleLabels}
        name="repeat"
        autoComplete="new-password"
        maxLength={200}
        required
      />
      <p className="text-13 text-quiet">{t("reset.note")}</p>
    </div>
  );
}
