/** The entry of the audit log with which staff close an account until its owner sets a new password. */
export const NEW_PASSWORD_REQUIRED = "customer.new_password_required";

/** What staff do about the access to an account, as it stands in the audit log. */
export const ACCESS_CHANGES = [
  NEW_PASSWORD_REQUIRED,
  "customer.sessions_ended",
  "customer.unlocked",
] as const;
export type AccessChange = (typeof ACCESS_CHANGES)[number];
