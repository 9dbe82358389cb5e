import { type AgeGroup, MIN_PASSWORD_LENGTH } from "@/lib/accounts/rules";
import { usernameFromProviderName } from "@/lib/accounts/social-sign-in/rules";
import { normalizeEmail } from "@/lib/platform/mail/address";

/** The values of the registration form, named as in the API so that errors find their field. */
export type RegistrationForm = {
  user_email: string;
  user_password: string;
  age_group: AgeGroup | null;
  accept_privacy: boolean;
};

export type RegistrationError =
  | "email_invalid"
  | "password_short"
  | "age_missing"
  | "under_age"
  | "privacy_required";

export type RegistrationErrors = Partial<Record<keyof RegistrationForm, RegistrationError>>;

/** A rough check that saves a request; the server validates. */
export const isEmailLike = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(normalizeEmail(text));

/** The username of an account that is registered without one: the part of the email before the @, without invalid characters. */
export const usernameFromEmail = (email: string): string =>
  usernameFromProviderName(email.split(/[@＠]/, 1)[0]) ?? "";

/** The validation errors of a registration, by field (docs/product.md#51-fields). */
export function validateRegistration(form: RegistrationForm): RegistrationErrors {
  const errors: RegistrationErrors = {};
  if (!isEmailLike(form.user_email)) errors.user_email = "email_invalid";
  if (form.user_password.length < MIN_PASSWORD_LENGTH) errors.user_password = "password_short";
  if (form.age_group === null) errors.age_group = "age_missing";
  else if (form.age_group === "under_13") errors.age_group = "under_age";
  if (!form.accept_privacy) errors.accept_privacy = "privacy_required";
  return errors;
}
