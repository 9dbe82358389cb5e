import { hmac } from "@/lib/platform/crypto/hmac";

const GMAIL = ["gmail.com", "googlemail.com"];

/**
 * The mailbox behind the spellings of an address: `Ann.Lee+shop@googlemail.com` and `annlee@gmail.com` are one. What is
 * given once per person is counted by it.
 */
export function emailIdentity(email: string): string {
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1).toLowerCase();
  const local = email.slice(0, at).toLowerCase().replace(/\+.*$/, "");
  return GMAIL.includes(domain) ? `${local.replaceAll(".", "")}@gmail.com` : `${local}@${domain}`;
}

/** The person behind an address, to be kept without it: a keyed hash of the mailbox. */
export const emailIdentityHash = (email: string): string => hmac("mailbox", emailIdentity(email));
