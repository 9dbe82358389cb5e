"use client";

import { type FormEvent, useState } from "react";
import { AgeChoice } from "@/components/accounts/registration/age-choice";
import { signupSource } from "@/components/accounts/registration/signup-source";
import { type ReadField, useForm } from "@/components/accounts/use-form";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { PasswordInput } from "@/components/ui/password-input";
import { EmailInput } from "@/components/ui/text-input";
import { validateRegistration } from "@/lib/accounts/registration/rules";
import { AGE_GROUPS, type AgeGroup } from "@/lib/accounts/rules";
import type { Draft, SignInForm } from "./sign-in-dialog";

/**
 * The direct registration in place: email, password, and one choice of age group that holds the agreement to the privacy
 * policy (docs/product.md#51-fields).
 */
export function NewAccountForm({
  labels,
  draft,
  onSignedIn,
  onSignInInstead,
}: {
  labels: SignInForm["labels"];
  draft: Draft;
  onSignedIn: () => void;
  onSignInInstead: () => void;
}) {
  const { errors, show, showError, clearError, problem, setProblem, pending, run, post, formProps } = useForm(
    labels.network,
  );
  const [age, setAge] = useState(findAge(draft.age_group));
  const [emailTaken, setEmailTaken] = useState(false);
  const messages = {
    email_invalid: labels.emailInvalid,
    password_short: labels.password_short,
    age_missing: labels.age_missing,
    under_age: labels.under_age,
  };

  function change(event: FormEvent<HTMLFormElement>): void {
    clearError(event);
    const { target } = event;
    if (!(target instanceof HTMLInputElement)) return;
    if (target.name === "age_group") setAge(findAge(target.value));
    if (target.name === "user_email") setEmailTaken(false);
  }

  async function register(account: object) {
    const result = await post("/auth/register/direct", { ...account, ...signupSource("direct") } as never);
    if (result.ok) {
      onSignedIn();
      return "leaving";
    }
    setEmailTaken(result.code === "409");
    if (result.code === "409") show({ user_email: result.message });
    else showError(result);
  }

  function submit(text: ReadField) {
    setProblem(undefined);
    const password = text("user_password");
    const account = {
      user_email: text("user_email").trim().toLowerCase(),
      user_password: password,
      age_group: findAge(text("age_group")),
      accept_privacy: true,
    };
    const found = Object.entries(validateRegistration(account));
    if (found.length === 0) return void run("register", () => register(account));
    show(Object.fromEntries(found.map(([name, error]) => [name, messages[error as keyof typeof messages]])));
  }

  const ageError = age === "under_13" ? labels.under_age : errors.age_group;
  return (
    <form {...formProps(submit)} onChange={change} className="flex flex-col gap-4">
      <EmailInput
        label={labels.email}
        hint={
          emailTaken && (
            <button
              type="button"
              onClick={onSignInInstead}
              className="text-link inline-flex min-h-11 cursor-pointer items-center text-15 text-ink"
            >
              {labels.login_instead}
            </button>
          )
        }
        error={errors.user_email}
        name="user_email"
        defaultValue={draft.user_email}
        required
      />
      <PasswordInput
        label={labels.password}
        hint={errors.user_password ? undefined : labels.password_hint}
        error={errors.user_password}
        labels={labels}
        name="user_password"
        autoComplete="new-password"
        defaultValue={draft.user_password}
        required
      />
      <AgeChoice
        labels={{
          ageLegend: labels.age_legend,
          ages: {
            adult: labels.adult,
            minor_with_guardian: labels.minor_with_guardian,
            under_13: labels.under_13,
          },
          guardian: labels.guardian,
        }}
        chosen={age}
        error={ageError}
        defaultValue={age}
      />
      {problem && <Notice kind="bad" title={problem} live />}
      <Button type="submit" look="primary" large block pending={pending !== undefined}>
        {labels.create}
      </Button>
    </form>
  );
}

const findAge = (text: string | undefined): AgeGroup | null =>
  AGE_GROUPS.find((group) => group === text) ?? null;
