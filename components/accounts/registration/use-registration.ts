"use client";

import { type FormEvent, useRef, useState } from "react";
import { redirectAfterSignIn } from "@/components/accounts/sign-in/after-sign-in";
import { type CallError, useCalls } from "@/components/accounts/use-calls";
import { useFieldErrors } from "@/components/accounts/use-field-errors";
import { useCode } from "@/components/accounts/verification/use-code";
import { type RegistrationError, validateRegistration } from "@/lib/accounts/registration/rules";
import { type AgeGroup, CODE_DIGITS } from "@/lib/accounts/rules";
import type { SignInReturn } from "@/lib/accounts/sign-in/rules";
import { type RegistrationFormValues, readRegistrationForm, toFieldErrors } from "./register-form-data";
import { signupSource } from "./signup-source";

export type RegistrationLabels = {
  faults: Record<RegistrationError, string>;
  codeMissing: string;
  added: string;
  network: string;
};
/** The action of the pressed button: send a code, register with the code, or register without one. */
type Way = "send" | "email" | "direct";

/**
 * The state of the registration form: errors, pending action and sent code (register/*, docs/product.md#72-accounts).
 */
export function useRegistration(labels: RegistrationLabels, back: SignInReturn) {
  const form = useRef<HTMLFormElement>(null);
  const { errors, show, forget } = useFieldErrors(form);
  const { pending, run, post } = useCalls(labels.network);
  const { sent, send } = useCode("register", post);
  const [email, setEmail] = useState("");
  const [age, setAge] = useState<AgeGroup | null>(null);
  const [takenEmail, setTakenEmail] = useState<string>();
  const [problem, setProblem] = useState<string>();
  // A code is valid for one email only, so changing the email restarts the flow.
  const code = sent?.email === email ? sent : undefined;

  function read(): RegistrationFormValues | null {
    if (!form.current) return null;
    const filled = readRegistrationForm(form.current);
    setEmail(filled.user_email);
    setAge(filled.age_group);
    return filled;
  }

  /** Returns the form values when they are valid. Otherwise it shows the errors and returns null. */
  function checked(way: Way): RegistrationFormValues | null {
    const filled = read();
    if (!filled) return null;
    const found = Object.entries(validateRegistration(filled)).map(([name, fault]) => [
      name,
      labels.faults[fault],
    ]);
    if (way === "email" && filled.verification_code.length < CODE_DIGITS)
      found.push(["verification_code", labels.codeMissing]);
    setProblem(undefined);
    show(Object.fromEntries(found));
    return found.length === 0 ? filled : null;
  }

  function refuse(answer: CallError, filled: RegistrationFormValues): void {
    if (answer.code === "409") setTakenEmail(filled.user_email);
    const found = toFieldErrors(answer);
    if (found) show(found);
    else setProblem(answer.message);
  }

  async function register(way: "email" | "direct", filled: RegistrationFormValues) {
    const { repeat: _, verification_code, ...account } = filled;
    const proof = way === "email" ? { verification_code, verification_id: code?.id } : {};
    const body = { ...account, ...proof, invited_account: back.invite, ...signupSource(way) };
    const answer = await post(`/auth/register/${way}`, body);
    if (answer.ok) return redirectAfterSignIn(back, post, labels);
    return refuse(answer, filled);
  }

  function start(way: Way): void {
    const filled = checked(way);
    if (!filled) return;
    void run(way, async () => {
      if (way !== "send") return register(way, filled);
      const refusal = await send(filled.user_email);
      return refusal && refuse(refusal, filled);
    });
  }

  function change(event: FormEvent<HTMLFormElement>): void {
    forget(event);
    read();
  }

  return { form, errors, pending, code, age, taken: takenEmail === email, problem, start, change };
}
