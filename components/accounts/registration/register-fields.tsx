"use client";

import type { FieldErrors } from "@/components/accounts/use-form";
import { Checkbox } from "@/components/ui/checkbox";
import { Link } from "@/components/ui/link";
import { PasswordInput } from "@/components/ui/password-input";
import { EmailInput, TextInput } from "@/components/ui/text-input";
import type { AgeGroup } from "@/lib/accounts/rules";
import { AgeChoice } from "./age-choice";
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
      <AgeChoice legend={labels.ageLegend} labels={labels.ages} chosen={age} error={errors.age_group} />
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
