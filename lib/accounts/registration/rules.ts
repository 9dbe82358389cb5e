import { type AgeGroup, MIN_PASSWORD_LENGTH, USERNAME_PATTERN } from "@/lib/accounts/rules";
import type { ErrorName } from "@/lib/platform/errors";

/** The registration form as it was filled in; the names are the API's, so that its refusals find their field. */
export type RegistrationForm = {
  username: string;
  user_email: string;
  user_password: string;
  repeat: string;
  age_group: AgeGroup | null;
  accept_privacy: boolean;
};

export type RegistrationError =
  | Extract<
      ErrorName,
      | "username_invalid"
      | "email_invalid"
      | "password_short"
      | "passwords_differ"
      | "under_age"
      | "privacy_required"
    >
  | "username_missing"
  | "age_missing";

export type RegistrationErrors = Partial<Record<keyof RegistrationForm, RegistrationError>>;

/** Does it look like an address? The server looks closer; this only spares the way. */
export const isEmailLike = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim());

/** What is wrong with a registration, by field (spec §5). */
export function validateRegistration(form: RegistrationForm): RegistrationErrors {
  const faults: RegistrationErrors = {};
  if (form.username.trim() === "") faults.username = "username_missing";
  else if (!USERNAME_PATTERN.test(form.username.trim())) faults.username = "username_invalid";
  if (!isEmailLike(form.user_email)) faults.user_email = "email_invalid";
  if (form.user_password.length < MIN_PASSWORD_LENGTH) faults.user_password = "password_short";
  else if (form.repeat !== form.user_password) faults.repeat = "passwords_differ";
  if (form.age_group === null) faults.age_group = "age_missing";
  else if (form.age_group === "under_13") faults.age_group = "under_age";
  if (!form.accept_privacy) faults.accept_privacy = "privacy_required";
  return faults;
}
