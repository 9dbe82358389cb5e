"use client";

import { useRouter } from "next/navigation";
import type { ReadField } from "@/components/accounts/use-form";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { CodeStep } from "./code-step";
import { useCodeForm } from "./use-code-form";
import type { VerifyLabels } from "./use-code-labels";

/**
 * Verifies the account's email with an emailed code, then calls `onVerified`, goes to `returnTo` or updates this page.
 */
export function VerifyEmail({
  email,
  returnTo,
  onVerified,
  labels,
}: {
  email: string;
  returnTo?: string | null;
  /** what the verification was needed for; it updates or leaves the page, and replaces the message of success */
  onVerified?: () => Promise<void>;
  labels: VerifyLabels;
}) {
  const router = useRouter();
  const codeForm = useCodeForm("order_email", labels.code);
  const { sent, problem, pending, run, post, formProps, readCode, showCodeError } = codeForm;
  const sendCode = () => codeForm.sendCode(email);

  function submit(text: ReadField) {
    const code = readCode(text);
    if (!code) return;
    void run("verify", async () => {
      const result = await post("/auth/email/verify-code", { email, code });
      if (!result.ok) return showCodeError(result);
      if (onVerified) {
        await onVerified();
        return "leaving";
      }
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
        {sent && <CodeStep sent={sent} form={codeForm} labels={labels.code} onResend={sendCode} />}
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
