/** Response codes of lib/platform/errors.ts: email_unverified, purchase_limit, product_unknown, sold_out, total_changed. */
export const EMAIL_UNVERIFIED = "40311";
export const PURCHASE_LIMIT = "40901";
export const PRODUCT_UNKNOWN = "40401";
export const SOLD_OUT = "409";
export const TOTAL_CHANGED = "40904";
