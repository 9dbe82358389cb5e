"use client";

import { type FormEvent, useState } from "react";
import { redirectAfterSignIn } from "@/components/accounts/sign-in/after-sign-in";
import type { CallError } from "@/components/accounts/use-calls";
import { useForm } from "@/components/accounts/use-form";
import { useCode } from "@/components/accounts/verification/use-code";
import { validateRegistration } from "@/lib/accounts/registration/rules";
import { type AgeGroup, CODE_DIGITS } from "@/lib/accounts/rules";
import type { SignInReturn } from "@/lib/accounts/sign-in/rules";
import { type RegistrationFormValues, readRegistrationForm, toFieldErrors } from "./register-form-data";
import { signupSource } from "./signup-source";
import type { RegisterLabels } from "./use-register-labels";

/** The action of the pressed button: send a code, register with the code, or register without one. */
type RegistrationAction = "send" | "email" | "direct";

/** The state and the calls of the registration form (docs/product.md#72-accounts). */
export function useRegistration(labels: RegisterLabels, returnTo: SignInReturn) {
  const callForm = useForm(labels.network);
  const { form, show, clearError, setProblem, run, post } = callForm;
  const { sent, send } = useCode("register", post);
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
      messages.push(["verification_code", labels.codeMissing]);
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
    const { repeat: _, verification_code, ...account } = values;
    const verification = action === "email" ? { verification_code, verification_id: code?.id } : {};
    const body = { ...account, ...verification, invited_account: returnTo.invite, ...signupSource(action) };
    const result = await post(`/auth/register/${action}`, body);
    if (result.ok) return redirectAfterSignIn(returnTo, post, labels);
    return showError(result, values);
  }

  function start(action: RegistrationAction): void {
    const values = validate(action);
    if (!values) return;
    void run(action, async () => {
      if (action !== "send") return register(action, values);
      const error = await send(values.user_email);
      return error && showError(error, values);
    });
  }

  function change(event: FormEvent<HTMLFormElement>): void {
    clearError(event);
    read();
  }

  return { ...callForm, code, age, emailTaken: takenEmail === email, start, change };
}
