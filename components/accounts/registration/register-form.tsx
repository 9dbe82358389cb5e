"use client";

import { type FormEvent, useState } from "react";
import { redirectAfterSignIn } from "@/components/accounts/sign-in/after-sign-in";
import type { CallError } from "@/components/accounts/use-calls";
import type { FieldErrors } from "@/components/accounts/use-form";
import { CodeStep } from "@/components/accounts/verification/code-step";
import { toFieldErrors, useCodeForm } from "@/components/accounts/verification/use-code-form";
import { LegalLinks } from "@/components/shell/legal-links";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { PasswordInput } from "@/components/ui/password-input";
import { EmailInput } from "@/components/ui/text-input";
import { type RegistrationForm, validateRegistration } from "@/lib/accounts/registration/rules";
import { AGE_GROUPS, type AgeGroup, CODE_DIGITS } from "@/lib/accounts/rules";
import type { SignInReturn } from "@/lib/accounts/sign-in/rules";
import { AgeChoice } from "./age-choice";
import type { RegisterLabels } from "./register-screen";
import { signupSource } from "./signup-source";

/** Registers an account with an emailed code that verifies the address, or without the code if it does not arrive. */
export function RegisterForm({ labels, returnTo }: { labels: RegisterLabels; returnTo: SignInReturn }) {
  const registration = useRegistration(labels, returnTo);
  const { formProps, errors, pending, code, age, emailTaken, problem, start, change } = registration;
  const action = code ? "email" : "send";
  return (
    <form {...formProps(() => start(action))} onChange={change} className="flex flex-col gap-4">
      <RegisterFields
        labels={labels.fields}
        errors={age === "under_13" ? { ...errors, age_group: labels.errors.under_age } : errors}
        age={age}
        loginHref={emailTaken ? `/login${returnTo.query}` : undefined}
      />
      {code && (
        <CodeStep sent={code} form={registration} labels={labels.code} onResend={() => start("send")} />
      )}
      {problem && <Notice kind="bad" title={problem} live />}
      <div className="flex flex-col gap-2">
        <Button type="submit" look="primary" large block pending={pending === action}>
          {code ? labels.submit : labels.send}
        </Button>
        {!code && <p className="text-13 text-quiet">{labels.sendHint}</p>}
        <LegalLinks labels={labels.legal} />
      </div>
      {code && (
        <div className="flex flex-col gap-1 border-t border-hairline pt-3">
          <Button look="quiet" block pending={pending === "direct"} onClick={() => start("direct")}>
            {labels.direct}
          </Button>
          <p className="text-13 text-quiet">{labels.directHint}</p>
        </div>
      )}
    </form>
  );
}

/** The action of the pressed button: send a code, register with the code, or register without one. */
type RegistrationAction = "send" | "email" | "direct";

/** The state and the calls of the registration form (docs/product.md#72-accounts). */
function useRegistration(labels: RegisterLabels, returnTo: SignInReturn) {
  const codeForm = useCodeForm("register", labels.code);
  const { form, show, clearError, setProblem, run, post, sent, sendCode } = codeForm;
  const [email, setEmail] = useState("");
  const [age, setAge] = useState<AgeGroup | null>(null);
  const [takenEmail, setTakenEmail] = useState<string>();
  // A code is valid for one email only, so changing the email restarts the flow.
  const code = sent?.email === email ? sent : undefined;

  function read(): RegistrationFormValues | null {
    if (!form.current) return null;
    const values = readRegistrationForm(form.current);
    setEmail(values.user_email);
    setAge(values.age_group);
    return values;
  }

  /** Returns the form values when they are valid. Otherwise it shows the errors and returns null. */
  function validate(action: RegistrationAction): RegistrationFormValues | null {
    const values = read();
    if (!values) return null;
    const messages = Object.entries(validateRegistration(values)).map(([name, error]) => [
      name,
      labels.errors[error],
    ]);
    if (action === "email" && values.verification_code.length < CODE_DIGITS)
      messages.push(["verification_code", labels.code.missing]);
    setProblem(undefined);
    show(Object.fromEntries(messages));
    return messages.length === 0 ? values : null;
  }

  function showError(error: CallError, values: RegistrationFormValues): void {
    if (error.code === "409") setTakenEmail(values.user_email);
    const fieldErrors = toFieldErrors(error);
    if (fieldErrors) show(fieldErrors);
    else setProblem(error.message);
  }

  async function register(action: "email" | "direct", values: RegistrationFormValues) {
    const { verification_code, ...account } = values;
    const verification = action === "email" ? { verification_code, verification_id: code?.id } : {};
    const body = { ...account, ...verification, invited_account: returnTo.invite, ...signupSource(action) };
    const result = await post(`/auth/register/${action}`, body);
    if (result.ok) return redirectAfterSignIn(returnTo, post, labels);
    return showError(result, values);
  }

  function start(action: RegistrationAction): void {
    const values = validate(action);
    if (!values) return;
    if (action === "send") sendCode(values.user_email, (error) => error && showError(error, values));
    else void run(action, () => register(action, values));
  }

  function change(event: FormEvent<HTMLFormElement>): void {
    clearError(event);
    read();
  }

  return { ...codeForm, code, age, emailTaken: takenEmail === email, start, change };
}

type RegistrationFormValues = RegistrationForm & { verification_code: string };

/** Reads the current form values. */
function readRegistrationForm(form: HTMLFormElement): RegistrationFormValues {
  const fields = new FormData(form);
  const text = (name: string) => String(fields.get(name) ?? "");
  return {
    user_email: text("user_email").trim().toLowerCase(),
    user_password: text("user_password"),
    age_group: AGE_GROUPS.find((group) => group === text("age_group")) ?? null,
    accept_privacy: fields.has("accept_privacy"),
    verification_code: text("verification_code"),
  };
}

type FieldsProps = {
  labels: RegisterLabels["fields"];
  errors: FieldErrors;
  age: AgeGroup | null;
  /** The login link, set when the email already has an account. */
  loginHref?: string;
};

/** The email comes directly before the password, so that password managers store them together. */
function RegisterFields({ labels, errors, age, loginHref }: FieldsProps) {
  return (
    <>
      <EmailInput
        label={labels.email}
        hint={
          loginHref ? (
            <Link href={loginHref} className="text-link inline-flex min-h-11 items-center text-15 text-ink">
              {labels.loginInstead}
            </Link>
          ) : undefined
        }
        error={errors.user_email}
        name="user_email"
        required
      />
      <PasswordInput
        label={labels.password}
        hint={errors.user_password ? undefined : labels.passwordHint}
        error={errors.user_password}
        labels={labels}
        name="user_password"
        autoComplete="new-password"
        required
      />
      <AgeChoice labels={labels} chosen={age} error={errors.age_group} />
      <Checkbox label={labels.privacy} error={errors.accept_privacy} name="accept_privacy" required />
    </>
  );
}
