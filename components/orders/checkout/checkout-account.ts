/** Whose order it is; an address that is not proved may not claim free passes nor send codes elsewhere. */
export type CheckoutAccount = { email: string; verified: boolean };
