"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import type { CallError } from "@/components/accounts/use-calls";
import type { ReadField } from "@/components/accounts/use-form";
import { CodeStep } from "@/components/accounts/verification/code-step";
import { useCodeForm } from "@/components/accounts/verification/use-code-form";
import { useCodeLabels } from "@/components/accounts/verification/use-code-labels";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PasswordInput } from "@/components/ui/password-input";
import { TextInput } from "@/components/ui/text-input";

type Props = {
  email: string;
  hasPassword: boolean;
  /** The session is in staff mode, which takes the second factor too. */
  staffMode?: boolean;
  onReauthenticated: () => void;
};
const PASSWORD_WRONG = "40003";
const FACTOR_WRONG = ["40001", "42901"];

/**
 * Reauthenticates with the password or a code sent to the account's email (docs/product.md#72-accounts), in staff mode also
 * with a code of the authenticator app.
 */
export function ReauthenticateForm({ email, hasPassword, staffMode = false, onReauthenticated }: Props) {
  const t = useTranslations("accounts");
  const [byCode, setByCode] = useState(!hasPassword);
  const [needsFactor, setNeedsFactor] = useState(staffMode);
  const codeLabels = useCodeLabels();
  const codeForm = useCodeForm("order_email", codeLabels);
  const { errors, show, problem, setProblem, pending, run, post, formProps, sent, readCode } = codeForm;
  const sendCode = () => codeForm.sendCode(email);

  function showError(error: CallError): void {
    const asksForFactor = !needsFactor && error.errors.some(({ path }) => path === "second_factor");
    if (asksForFactor) setNeedsFactor(true);
    else if (needsFactor && FACTOR_WRONG.includes(error.code)) show({ second_factor: error.message });
    else if (byCode) codeForm.showCodeError(error);
    else if (error.code === PASSWORD_WRONG) show({ password: error.message });
    else setProblem(error.message);
  }

  async function reauthenticate(body: object) {
    const result = await post("/auth/reauthenticate", body);
    if (result.ok) onReauthenticated();
    else showError(result);
  }

  function submit(text: ReadField) {
    if (byCode && !sent) return sendCode();
    if (!byCode) {
      const password = text("password");
      if (!password) return show({ password: t("missing.password") });
      return run("reauthenticate", () => reauthenticate({ password, ...readFactor(text) }));
    }
    const code = readCode(text);
    if (!code) return undefined;
    return run("reauthenticate", () =>
      reauthenticate({ verification_code: code, verification_id: sent?.id, ...readFactor(text) }),
    );
  }

  const readFactor = (text: ReadField) => (needsFactor ? { second_factor: text("second_factor") } : {});

  const needsCode = byCode && !sent;
  return (
    <form {...formProps(submit)} className="flex flex-col gap-5">
      <p className="wrap-anywhere text-quiet">
        {byCode ? t("reauthentication.text_code", { email }) : t("reauthentication.text_password")}
      </p>
      {!byCode && <PasswordField email={email} error={errors.password} />}
      {byCode && sent && <CodeStep sent={sent} form={codeForm} labels={codeLabels} onResend={sendCode} />}
      {needsFactor && !needsCode && (
        <TextInput
          name="second_factor"
          label={t("field.second_factor")}
          hint={t("field.second_factor_hint")}
          error={errors.second_factor}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={40}
          className="max-w-72"
        />
      )}
      {problem && <Notice kind="bad" title={problem} live />}
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        {hasPassword && !needsFactor && (
          <Button
            look="quiet"
            onClick={() => {
              setProblem(undefined);
              setByCode(!byCode);
            }}
          >
            {t(byCode ? "reauthentication.use_password" : "reauthentication.use_code")}
          </Button>
        )}
        <Button
          type="submit"
          look="primary"
          pending={needsCode ? pending === "send" : pending === "reauthenticate"}
        >
          {t(needsCode ? "reauthentication.send" : "reauthentication.submit")}
        </Button>
      </div>
    </form>
  );
}

function PasswordField({ email, error }: { email: string; error?: string }) {
  const t = useTranslations("accounts.field");
  return (
    <>
      <input hidden type="email" name="email" autoComplete="username" value={email} readOnly />
      <PasswordInput
        label={t("password")}
        error={error}
        labels={{ show: t("show"), hide: t("hide") }}
        name="password"
        required
        // A dialog looks for the `autofocus` attribute when it opens. React's autoFocus prop does not render it.
        ref={(input) => input?.setAttribute("autofocus", "")}
      />
    </>
  );
}
