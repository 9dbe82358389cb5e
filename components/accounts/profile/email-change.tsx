"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { flushSync } from "react-dom";
import type { CallError } from "@/components/accounts/use-calls";
import type { ReadField } from "@/components/accounts/use-form";
import { CodeStep } from "@/components/accounts/verification/code-step";
import { toFieldErrors, useCodeForm } from "@/components/accounts/verification/use-code-form";
import { useCodeLabels } from "@/components/accounts/verification/use-code-labels";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { EmailInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { isEmailLike } from "@/lib/accounts/registration/rules";

/** Changes the account's email by a code that is sent to the new address (docs/product.md#72-accounts). */
export function EmailChange({ email, onDone }: { email: string; onDone: () => void }) {
  const t = useTranslations("accounts");
  const change = useEmailChange(email, onDone);
  const { errors, pending, problem, sent, code, formProps, submit, resend, restart } = change;
  return (
    <form {...formProps(submit)} className="flex flex-col gap-5">
      <p className="text-quiet">{t("email_change.text")}</p>
      {code ? (
        <CodeStep sent={code} form={change} labels={change.labels} onResend={resend} />
      ) : (
        <EmailInput
          label={t("email_change.field")}
          error={errors.new_email}
          name="new_email"
          defaultValue={sent?.email}
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
          pending={pending === (code ? "change" : "send")}
        >
          {t(code ? "email_change.submit" : "email_change.send")}
        </Button>
      </div>
    </form>
  );
}

function useEmailChange(currentEmail: string, onDone: () => void) {
  const t = useTranslations("accounts");
  const messages = useTranslations("errors");
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const labels = useCodeLabels();
  const codeForm = useCodeForm("change_email", labels);
  const { form, show, showCodeError, setProblem, run, post, sent, sendCode, readCode } = codeForm;
  const [emailEntered, setEmailEntered] = useState(false);
  const code = emailEntered ? sent : undefined;

  /** Errors of the email field return the user to that field. */
  function showError(error: CallError) {
    const fieldError =
      error.errors.find(({ path }) => path === "new_email")?.message ?? toFieldErrors(error)?.user_email;
    if (!fieldError) return showCodeError(error);
    if (code) restart();
    show({ new_email: fieldError });
  }

  function restart(): void {
    setProblem(undefined);
    flushSync(() => setEmailEntered(false));
    form.current?.querySelector<HTMLElement>("[name=new_email]")?.focus();
  }

  const requestCode = (address: string) =>
    sendCode(address, (error) => (error ? showError(error) : setEmailEntered(true)));

  async function change(verification_code: string) {
    const body = { new_email: code?.email ?? "", verification_code, verification_id: code?.id };
    const result = await withReauthentication(() => post("/auth/email/update", body));
    if (!result.ok) return showError(result);
    showToast(t("email_change.done"), "good");
    onDone();
    router.refresh();
  }

  function submit(text: ReadField): void {
    if (code) {
      const enteredCode = readCode(text);
      if (enteredCode) void run("change", () => change(enteredCode));
      return;
    }
    const address = text("new_email").trim().toLowerCase();
    if (!isEmailLike(address)) show({ new_email: messages("email_invalid") });
    else if (address === currentEmail.toLowerCase()) show({ new_email: t("email_change.same") });
    else requestCode(address);
  }

  const resend = () => requestCode(code?.email ?? "");
  return { ...codeForm, labels, code, submit, resend, restart };
}
