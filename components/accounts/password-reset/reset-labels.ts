/** The branches of the messages that the form for a new password speaks with. */
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
