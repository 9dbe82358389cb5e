"use client";

import type { FieldErrors } from "@/components/accounts/use-field-errors";
import { Checkbox } from "@/components/ui/checkbox";
import { Link } from "@/components/ui/link";
import { PasswordInput } from "@/components/ui/password-input";
import { TextInput } from "@/components/ui/text-input";
import type { AgeGroup } from "@/lib/accounts/rules";
import { AgeChoice } from "./age-choice";

export type RegisterFieldWords = {
  username: string;
  email: string;
  emailHint: string;
  password: string;
  passwordHint: string;
  repeat: string;
  show: string;
  hide: string;
  ageLegend: string;
  ages: Record<AgeGroup, string>;
  privacy: string;
  privacyHint: string;
  loginInstead: string;
};

type Props = {
  words: RegisterFieldWords;
  errors: FieldErrors;
  age: AgeGroup | null;
  /** Given once the address turned out to have an account: the way in. */
  loginHref?: string;
};

/** Who one is. The address stands right before the password, so that a password manager keeps the two together. */
export function RegisterFields({ words, errors, age, loginHref }: Props) {
  return (
    <>
      <TextInput
        label={words.username}
        error={errors.username}
        name="username"
        autoComplete="nickname"
        maxLength={60}
        required
      />
      <TextInput
        label={words.email}
        hint={
          loginHref ? (
            <Link href={loginHref} className="text-link inline-flex min-h-11 items-center text-15 text-ink">
              {words.loginInstead}
            </Link>
          ) : (
            words.emailHint
          )
        }
        error={errors.user_email}
        name="user_email"
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        required
      />
      <PasswordInput
        label={words.password}
        hint={errors.user_password ? undefined : words.passwordHint}
        error={errors.user_password}
        words={words}
        name="user_password"
        autoComplete="new-password"
        required
      />
      <PasswordInput
        label={words.repeat}
        error={errors.repeat}
        words={words}
        name="repeat"
        autoComplete="new-password"
        required
      />
      <AgeChoice legend={words.ageLegend} labels={words.ages} chosen={age} error={errors.age_group} />
      <Checkbox
        label={words.privacy}
        hint={words.privacyHint}
        error={errors.accept_privacy}
        name="accept_privacy"
        required
      />
    </>
  );
}
