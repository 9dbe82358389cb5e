"use client";

import { CodeStep } from "@/components/accounts/verification/code-step";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { SignInReturn } from "@/lib/accounts/sign-in/rules";
import { RegisterFields } from "./register-fields";
import type { RegisterLabels } from "./use-register-labels";
import { useRegistration } from "./use-registration";

/** Registers an account, either with an emailed code that verifies the email or without one. */
export function RegisterForm({ labels, returnTo }: { labels: RegisterLabels; returnTo: SignInReturn }) {
  const registration = useRegistration(labels, returnTo);
  const { formProps, errors, pending, code, age, emailTaken, problem, start, change } = registration;
  const action = code ? "email" : "send";
  return (
    <form {...formProps(() => start(action))} onChange={change} className="flex flex-col gap-5">
      <RegisterFields
        labels={labels.fields}
        errors={age === "under_13" ? { ...errors, age_group: labels.errors.under_age } : errors}
        age={age}
        loginHref={emailTaken ? `/login${returnTo.query}` : undefined}
      />
      {code && (
        <CodeStep
          sent={code}
          error={errors.verification_code}
          resending={pending === "send"}
          labels={labels.code}
          onResend={() => start("send")}
        />
      )}
      {problem && <Notice kind="bad" title={problem} live />}
      <div className="flex flex-col gap-2">
        <Button type="submit" look="primary" large block pending={pending === action}>
          {code ? labels.submit : labels.send}
        </Button>
        {!code && <p className="text-13 text-quiet">{labels.sendHint}</p>}
      </div>
      <div className="flex flex-col gap-2 border-t border-hairline pt-5">
        <Button block pending={pending === "direct"} onClick={() => start("direct")}>
          {labels.direct}
        </Button>
        <p className="text-13 text-quiet">{labels.directHint}</p>
      </div>
    </form>
  );
}
