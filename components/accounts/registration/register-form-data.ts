import type { CallError } from "@/components/accounts/use-calls";
import type { FieldErrors } from "@/components/accounts/use-field-errors";
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
/** The call for codes names the address by another name. */
const ALIASES: Record<string, string> = { email: "user_email" };
/** Refusals that speak about one field without naming it: address taken; code wrong, over, tried too often. */
const FIELD_OF: Record<string, string> = {
  "409": "user_email",
  "40001": "verification_code",
  "40002": "verification_code",
  "42901": "verification_code",
};

/** The server's sentences at the fields they speak of; null when they speak of none. */
export function toFieldErrors({ code, message, errors }: CallError): FieldErrors | null {
  const named = errors
    .map((issue): [string, string] => [ALIASES[issue.path] ?? issue.path, issue.message])
    .filter(([name]) => FIELDS.includes(name));
  if (named.length > 0) return Object.fromEntries(named);
  const field = FIELD_OF[code];
  return field ? { [field]: message } : null;
}

export type RegistrationFormValues = RegistrationForm & { verification_code: string };

/** What the form holds now. */
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
