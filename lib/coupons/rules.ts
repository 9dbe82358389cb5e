/** The free voucher of a day (spec §9): worth in cents, hours from claiming, and the order it needs, in cents. */
export const DAILY_VOUCHER = { amountCents: 500, hours: 24, minimumCents: 1000 } as const;

/** The bonus on a first order (spec §9), in cents. */
export const NEW_USER_VOUCHER = { amountCents: 1000, minimumCents: 5000 } as const;

/** What an inviter gets once the friend's first paid order has passed its refund window, in cents. */
export const INVITER_VOUCHER = { amountCents: 500 } as const;
