import { randomText } from "./id";

/** Stripe's way of naming: `pi_` and 24 letters and digits. */
export const stripeId = (prefix: string) => `${prefix}_${randomText(24)}`;
