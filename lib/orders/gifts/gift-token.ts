import { hmac } from "@/lib/platform/crypto/hmac";

/**
 * The token of a gift's link. It is derived, so that a repeated email has the same link, although only its hash is stored
 * (docs/decisions/0033-derive-a-gift-link-and-store-its-hash.md).
 */
export const giftToken = (giftId: string, serial: number): string =>
  hmac("gift-link", `token:${giftId}:${serial}`);

/** The second secret of the first email, derived and stored likewise. */
export const giftProof = (giftId: string, serial: number): string =>
  hmac("gift-link", `proof:${giftId}:${serial}`);

export const giftProofHash = (proof: string): string => hmac("gift-link", `proof-hash:${proof}`);

export const giftTokenHash = (token: string): string => hmac("gift-link", `hash:${token}`);
