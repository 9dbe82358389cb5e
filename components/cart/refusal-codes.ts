/** Body codes of lib/platform/errors.ts: email_unverified, already_claimed. */
export const UNVERIFIED = "40311";
export const CLAIMED = "40905";
