/**
 * The account that owns the order. An account with an unverified email may not claim free passes or send codes to
 * another email.
 */
export type CheckoutAccount = { email: string; verified: boolean };
