import { randomText } from "@/lib/platform/crypto/ids";

/** Stripe's way of naming: `pi_` and 24 letters and digits. */
export const stripeId = (prefix: string) => `${prefix}_${randomText(24)}`;

/** Between an intent's id and what makes its client secret secret, as at Stripe. */
export const SECRET = "_secret_";
