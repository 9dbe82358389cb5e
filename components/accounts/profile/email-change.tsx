"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { flushSync } from "react-dom";
import { useReauthentication } from "@/components/accounts/reauthentication/reauthentication-provider";
import { toFieldErrors } from "@/components/accounts/registration/register-form-data";
import type { CallError } from "@/components/accounts/use-calls";
import { type ReadField, useForm } from "@/components/accounts/use-form";
import { CodeStep } from "@/components/accounts/verification/code-step";
import { useCode } from "@/components/accounts/verification/use-code";
import { useCodeLabels } from "@/components/accounts/verification/use-code-labels";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { EmailInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { isEmailLike } from "@/lib/accounts/registration/rules";
import { CODE_DIGITS } from "@/lib/accounts/rules";

/** Changes the account's email by a code that is sent to the new address (docs/product.md#72-accounts). */
export function EmailChange({ email, onDone }: { email: string; onDone: () => void }) {
  const t = useTranslations("accounts");
  const change = useEmailChange(email, onDone);
  const { errors, pending, problem, code, typedEmail, formProps, submit, resend, restart } = change;
  const codeLabels = useCodeLabels();
  return (
    <form {...formProps(submit)} className="flex flex-col gap-5">
      <p className="text-quiet">{t("email_change.text")}</p>
      {code ? (
        <CodeStep
          sent={code}
          error={errors.verification_code}
          resending={pending === "resend"}
          labels={codeLabels}
          onResend={resend}
        />
      ) : (
        <EmailInput
          label={t("email_change.field")}
          error={errors.new_email}
          name="new_email"
          defaultValue={typedEmail}
          required
          ref={(input) => input?.setAttribute("autofocus", "")}
        />
      )}
      {problem && <Notice kind="bad" title={problem} live />}
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        {code && (
          <Button look="quiet" onClick={restart}>
            {t("email_change.other")}
          </Button>
        )}
        <Button
          key={code ? "change" : "send"}
          type="submit"
          look="primary"
          pending={pending === "send" || pending === "change"}
        >
          {t(code ? "email_change.submit" : "email_change.send")}
        </Button>
      </div>
    </form>
  );
}

function useEmailChange(currentEmail: string, onDone: () => void) {
  const t = useTranslations("accounts");
  const labels = useTranslations("errors");
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const callForm = useForm(labels("network"));
  const { form, show, setProblem, run, post } = callForm;
  const { sent, send } = useCode("change_email", post);
  const [requestedEmail, setRequestedEmail] = useState<string>();
  const code = sent?.email === requestedEmail ? sent : undefined;

  /** Errors of the email field return the user to that field. */
  function showError(error: CallError): void {
    const fieldErrors = toFieldErrors(error);
    const fieldError =
      error.errors.find(({ path }) => path === "new_email")?.message ?? fieldErrors?.user_email;
    if (fieldError) {
      if (code) restart();
      show({ new_email: fieldError });
    } else if (fieldErrors?.verification_code) show({ verification_code: fieldErrors.verification_code });
    else setProblem(error.message || undefined);
  }

  const [typedEmail, setTypedEmail] = useState<string>();
  function restart(): void {
    setProblem(undefined);
    flushSync(() => {
      setTypedEmail(requestedEmail);
      setRequestedEmail(undefined);
    });
    form.current?.querySelector<HTMLElement>("[name=new_email]")?.focus();
  }

  async function requestCode(address: string) {
    const error = await send(address);
    if (error) showError(error);
    else setRequestedEmail(address);
  }

  async function change(verification_code: string) {
    const body = { new_email: requestedEmail ?? "", verification_code, verification_id: code?.id };
    const result = await withReauthentication(() => post("/auth/email/update", body));
    if (!result.ok) return showError(result);
    showToast(t("email_change.done"), "good");
    onDone();
    router.refresh();
  }

  function submit(text: ReadField): void {
    if (!code) {
      const address = text("new_email").trim().toLowerCase();
      if (!isEmailLike(address)) show({ new_email: labels("email_invalid") });
      else if (address === currentEmail.toLowerCase()) show({ new_email: t("email_change.same") });
      else void run("send", () => requestCode(address));
      return;
    }
    const enteredCode = text("verification_code");
    if (enteredCode.length < CODE_DIGITS)
      show({ verification_code: t("missing.code", { count: CODE_DIGITS }) });
    else void run("change", () => change(enteredCode));
  }

  function resend(): void {
    setProblem(undefined);
    void run("resend", () => requestCode(requestedEmail ?? ""));
  }

  return { ...callForm, code, typedEmail, submit, resend, restart };
}
