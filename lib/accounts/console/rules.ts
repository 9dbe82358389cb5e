/** `unverified`: no one has proved the address. `deleted`: erased, only the row is left. */
export const CUSTOMER_STATES = ["verified", "unverified", "staff", "deleted"] as const;
