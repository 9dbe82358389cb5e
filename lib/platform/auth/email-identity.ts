import { hmac } from "@/lib/platform/crypto/hmac";

const GMAIL = ["gmail.com", "googlemail.com"];

/**
 * The identity behind the spellings of an address: `Ann.Lee+shop@googlemail.com` and `annlee@gmail.com` are equal.
 * Limits per person count by it.
 */
export function emailIdentity(email: string): string {
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1).toLowerCase();
  const local = email
    .slice(0, at)
    .toLowerCase()
    .replace(/(?<=.)\+.*$/, "");
  return GMAIL.includes(domain) ? `${local.replaceAll(".", "")}@gmail.com` : `${local}@${domain}`;
}

/** A keyed hash of the email identity, which can be stored after the address is erased. */
export const emailIdentityHash = (email: string): string => hmac("email-identity", emailIdentity(email));
