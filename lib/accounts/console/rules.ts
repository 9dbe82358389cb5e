/** `unverified`: the address was never verified. `deleted`: erased; only the row remains. */
export const CUSTOMER_STATES = ["verified", "unverified", "staff", "deleted"] as const;
