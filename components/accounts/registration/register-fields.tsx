"use client";

import { useId } from "react";
import type { FieldErrors } from "@/components/accounts/use-form";
import { Checkbox } from "@/components/ui/checkbox";
import { FieldError } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { PasswordInput } from "@/components/ui/password-input";
import { EmailInput, TextInput } from "@/components/ui/text-input";
import { AGE_GROUPS, type AgeGroup } from "@/lib/accounts/rules";
import type { RegisterLabels } from "./use-register-labels";

type Props = {
  labels: RegisterLabels["fields"];
  errors: FieldErrors;
  age: AgeGroup | null;
  /** The login link, set when the email already has an account. */
  loginHref?: string;
};

/** The email stands directly before the password, so that password managers store them together. */
export function RegisterFields({ labels, errors, age, loginHref }: Props) {
  return (
    <>
      <TextInput
        label={labels.username}
        error={errors.username}
        name="username"
        autoComplete="nickname"
        maxLength={60}
        required
      />
      <EmailInput
        label={labels.email}
        hint={
          loginHref ? (
            <Link href={loginHref} className="text-link inline-flex min-h-11 items-center text-15 text-ink">
              {labels.loginInstead}
            </Link>
          ) : (
            labels.emailHint
          )
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
      <PasswordInput
        label={labels.repeat}
        error={errors.repeat}
        labels={labels}
        name="repeat"
        autoComplete="new-password"
        required
      />
      <AgeChoice labels={labels} chosen={age} error={errors.age_group} />
      <Checkbox
        label={labels.privacy}
        hint={labels.privacyHint}
        error={errors.accept_privacy}
        name="accept_privacy"
        required
      />
    </>
  );
}

/** Selects the age group (docs/product.md#51-fields). Under 13 shows why registration is not possible. */
function AgeChoice({
  labels,
  chosen,
  error,
}: Pick<Props, "labels"> & { chosen: AgeGroup | null; error?: string }) {
  const id = useId();
  return (
    <fieldset aria-describedby={error ? id : undefined}>
      <legend className="pb-1 font-medium">{labels.ageLegend}</legend>
      {AGE_GROUPS.map((group) => (
        <label key={group} className="hit flex cursor-pointer items-start gap-3 py-2.5">
          <input
            type="radio"
            className="check"
            name="age_group"
            value={group}
            required
            aria-invalid={error && (chosen === null || chosen === group) ? true : undefined}
          />
          {labels.ages[group]}
        </label>
      ))}
      <div aria-live="polite">{error && <FieldError id={id}>{error}</FieldError>}</div>
    </fieldset>
  );
}
