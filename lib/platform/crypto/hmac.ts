import { createHmac, timingSafeEqual } from "node:crypto";
import { env } from "@/lib/platform/env";
import { ALPHABET } from "./ids";

/** Purposes of HMACs; each has its own key, derived from AUTH_SECRET. */
export type HmacPurpose =
  | "access-token"
  | "refresh-token"
  | "verification-code"
  | "request"
  | "limit"
  | "signed-link"
  | "email-identity"
  | "network"
  | "order-device"
  | "order-address"
  | "mail-domain"
  | "invite-visitor"
  | "source-visitor"
  | "gift-link"
  | "recovery-code"
  | "list-cursor"
  | "api-token"
  | "agent-cart"
  | "merchant-invite"
  | "merchant-buyer";

/** The 32-byte key of one purpose. */
export function deriveKey(purpose: HmacPurpose): Buffer {
  return createHmac("sha256", env().AUTH_SECRET).update(`passlane:${purpose}`).digest();
}

/** HMAC-SHA256 in base64url, for secrets that are compared but not stored. */
export function hmac(purpose: HmacPurpose, text: string): string {
  return createHmac("sha256", deriveKey(purpose)).update(text).digest("base64url");
}

/** Compares two short strings in constant time. */
export function constantTimeEqual(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** `length` decimal digits derived from the text and our secret: deterministic, and unguessable without it. */
export function hmacDigits(purpose: HmacPurpose, text: string, length: number): string {
  const bytes = createHmac("sha256", deriveKey(purpose)).update(`digits:${text}`).digest();
  return String(bytes.readBigUInt64BE() % 10n ** BigInt(length)).padStart(length, "0");
}

/** `length` letters and digits derived from the text and our secret, at most 32: deterministic, and unguessable without it. */
export function hmacText(purpose: HmacPurpose, text: string, length: number): string {
  const bytes = createHmac("sha256", deriveKey(purpose)).update(`text:${text}`).digest();
  return Array.from(bytes.subarray(0, length), (byte) => ALPHABET[byte & 31]).join("");
}
