import { randomBytes } from "node:crypto";

export const ALPHABET = "23456789abcdefghijkmnpqrstuvwxyz"; // 32 characters that are not confused

/** An opaque identifier that cannot be enumerated: prefix and 100 random bits, e.g. `ord_7c4…`. */
export function newId(prefix: string): string {
  return `${prefix}_${randomText(20)}`;
}

/** `length` random letters and digits, 5 bits each. */
export function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte & 31]).join("");
}
