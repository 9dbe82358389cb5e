/** Response codes of lib/platform/errors.ts: email_unverified, purchase_limit. */
export const EMAIL_UNVERIFIED = "40311";
export const PURCHASE_LIMIT = "40901";
