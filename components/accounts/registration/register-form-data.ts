import type { CallError } from "@/components/accounts/use-calls";
import type { FieldErrors } from "@/components/accounts/use-form";
import type { RegistrationForm } from "@/lib/accounts/registration/rules";
import { AGE_GROUPS } from "@/lib/accounts/rules";

const FIELDS = [
  "username",
  "user_email",
  "user_password",
  "age_group",
  "accept_privacy",
  "verification_code",
];
/** The API that sends codes uses another field name for the email. */
const ALIASES: Record<string, string> = { email: "user_email" };
/** Error codes that concern one field without naming it: email taken, code wrong, code expired, too many attempts. */
const FIELD_BY_ERROR_CODE: Record<string, string> = {
  "409": "user_email",
  "40001": "verification_code",
  "40002": "verification_code",
  "42901": "verification_code",
};

/** Maps the server's messages to their form fields, or returns null when they concern no field. */
export function toFieldErrors({ code, message, errors }: CallError): FieldErrors | null {
  const fieldErrors = errors
    .map((issue): [string, string] => [ALIASES[issue.path] ?? issue.path, issue.message])
    .filter(([name]) => FIELDS.includes(name));
  if (fieldErrors.length > 0) return Object.fromEntries(fieldErrors);
  const field = FIELD_BY_ERROR_CODE[code];
  return field ? { [field]: message } : null;
}

export type RegistrationFormValues = RegistrationForm & { verification_code: string };

/** Reads the current form values. */
export function readRegistrationForm(form: HTMLFormElement): RegistrationFormValues {
  const fields = new FormData(form);
  const text = (name: string) => String(fields.get(name) ?? "");
  return {
    username: text("username").trim(),
    user_email: text("user_email").trim().toLowerCase(),
    user_password: text("user_password"),
    repeat: text("repeat"),
    age_group: AGE_GROUPS.find((group) => group === text("age_group")) ?? null,
    accept_privacy: fields.has("accept_privacy"),
    verification_code: text("verification_code"),
  };
}
