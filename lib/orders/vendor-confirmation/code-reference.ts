import { createHash } from "node:crypto";
import { decryptKeys, openKeysForVendor } from "@/lib/delivery/library/open-keys";
import type { CodeReference } from "./contract";

/** The reference of a shorter code shows none of its characters. */
const MIN_LENGTH_FOR_ENDING = 12;

/**
 * A code's reference: its ending and 32 bits of its SHA-256. Together they identify a code in the vendor's list, but
 * the code cannot be derived from them (docs/decisions/0017-ask-the-vendor-with-a-code-reference.md).
 */
export const codeReference = (code: string): CodeReference => ({
  digest: createHash("sha256").update(code).digest("hex").slice(0, 8),
  ending: [...code].length >= MIN_LENGTH_FOR_ENDING ? [...code].slice(-4).join("") : null,
});

/** The references of codes by key; a code that is refunded has none, unless they are asked for. */
export async function listCodeReferences(
  keyIds: string[],
  options: { refunded?: boolean } = {},
): Promise<Map<string, CodeReference>> {
  const codes = decryptKeys(await openKeysForVendor(keyIds, options));
  return new Map(codes.map(({ keyId, code }) => [keyId, codeReference(code)]));
}
