/** Response codes of lib/platform/errors.ts: email_unverified, already_claimed. */
export const EMAIL_UNVERIFIED = "40311";
export const ALREADY_CLAIMED = "40905";
