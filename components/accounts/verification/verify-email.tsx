"use client";

import { useRouter } from "next/navigation";
import { toFieldErrors } from "@/components/accounts/registration/register-form-data";
import type { CallError } from "@/components/accounts/use-calls";
import { type ReadField, useForm } from "@/components/accounts/use-form";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { CODE_DIGITS } from "@/lib/accounts/rules";
import { CodeStep } from "./code-step";
import { useCode } from "./use-code";
import type { VerifyLabels } from "./use-code-labels";

/** Verifies the account's email with an emailed code, then goes to `returnTo` or updates this page. */
export function VerifyEmail({
  email,
  returnTo,
  labels,
}: {
  email: string;
  returnTo?: string | null;
  labels: VerifyLabels;
}) {
  const router = useRouter();
  const { errors, show, problem, setProblem, pending, run, post, formProps } = useForm(labels.network);
  const { sent, send } = useCode("order_email", post);

  function showError(error: CallError) {
    const fieldErrors = toFieldErrors(error);
    if (fieldErrors?.verification_code) show(fieldErrors);
    else setProblem(error.message);
  }

  function sendCode() {
    setProblem(undefined);
    void run("send", async () => {
      const error = await send(email);
      if (error) showError(error);
    });
  }

  function submit(text: ReadField) {
    const code = text("verification_code");
    if (code.length < CODE_DIGITS) return show({ verification_code: labels.codeMissing });
    void run("verify", async () => {
      const result = await post("/auth/email/verify-code", { email, code });
      if (!result.ok) return showError(result);
      showToast(labels.done, "good");
      if (returnTo) {
        router.push(returnTo);
        return "leaving";
      }
      // This form is removed after verification, so the focus moves to the page content.
      document.getElementById("content")?.focus({ preventScroll: true });
      router.refresh();
      return "leaving";
    });
  }

  const action = sent ? "verify" : "send";
  return (
    <Notice kind="warn" title={labels.title}>
      <p className="pb-3">{labels.text}</p>
      <form {...formProps(submit)} className="flex flex-col gap-4 text-ink">
        {sent && (
          <CodeStep
            sent={sent}
            error={errors.verification_code}
            resending={pending === "send"}
            labels={labels.code}
            onResend={sendCode}
          />
        )}
        {problem && <Notice kind="bad" title={problem} live />}
        <Button
          key={action}
          type={sent ? "submit" : "button"}
          look="primary"
          className="self-start"
          pending={pending === action}
          onClick={sent ? undefined : sendCode}
        >
          {sent ? labels.submit : labels.send}
        </Button>
      </form>
    </Notice>
  );
}
