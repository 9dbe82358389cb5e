/** The message namespaces of the password reset form. */
export const RESET_MESSAGES = [
  "accounts.reset",
  "accounts.code",
  "accounts.missing",
  "accounts.field",
  "accounts.login.added",
  "errors.network",
  "errors.email_invalid",
  "errors.password_short",
  "errors.passwords_differ",
];
