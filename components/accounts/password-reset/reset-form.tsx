"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import type { FieldErrors } from "@/components/accounts/use-form";
import { CodeStep } from "@/components/accounts/verification/code-step";
import { useCodeLabels } from "@/components/accounts/verification/use-code-labels";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PasswordInput } from "@/components/ui/password-input";
import { EmailInput } from "@/components/ui/text-input";
import { CODE_MINUTES, MIN_PASSWORD_LENGTH } from "@/lib/accounts/rules";
import { type NewLogin, useReset } from "./use-reset";

/** `signedInEmail`: the form does not ask for it. `email` prefills the field. */
export function ResetForm({
  signedInEmail,
  email,
  onReset,
}: {
  signedInEmail?: string;
  email?: string;
  onReset: (login: NewLogin) => Promise<unknown>;
}) {
  const t = useTranslations("accounts.reset");
  const reset = useReset(signedInEmail, onReset);
  const { errors, pending, problem, step, sent, formProps, submit, resend, restart } = reset;
  const codeLabels = useResetCodeLabels(signedInEmail !== undefined);
  return (
    <form {...formProps(submit)} className="flex flex-col gap-5">
      {step === "address" && !signedInEmail && <Address email={sent?.email ?? email} error={errors.email} />}
      {step === "code" && sent && (
        <CodeStep
          sent={sent}
          error={errors.verification_code}
          resending={pending === "resend"}
          labels={codeLabels}
          onResend={resend}
        />
      )}
      {step === "password" && <NewPassword email={sent?.email} errors={errors} />}
      {problem && <Notice kind="bad" title={problem} live />}
      <div className="flex flex-col gap-2">
        <Button
          key={step}
          type="submit"
          look="primary"
          large
          block
          pending={pending !== undefined && pending !== "resend"}
        >
          {t(SUBMIT_LABELS[step])}
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

const SUBMIT_LABELS = { address: "send", code: "check", password: "submit" } as const;

/** The labels do not reveal whether the email has an account, except to its signed-in owner. */
function useResetCodeLabels(isSignedIn: boolean) {
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
