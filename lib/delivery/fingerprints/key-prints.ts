import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { formerKeyForms, lettersOfKey, normalizeKey } from "@/lib/delivery/rules";
import { fingerprint, shortFingerprint } from "@/lib/platform/crypto/vault";

/** The keyed hashes that are stored with a code: of its one form, and of its letters and digits alone. */
export const keyPrints = (text: string): { fingerprint: string; lettersHash: number } => ({
  fingerprint: fingerprint(normalizeKey(text)),
  lettersHash: shortFingerprint(lettersOfKey(text)),
});

/** The fingerprints under which a code may be stored, that of its one form first. */
export const printsOfKey = (text: string, { former }: { former: boolean }): string[] => [
  ...new Set([normalizeKey(text), ...(former ? formerKeyForms(text) : [])].map(fingerprint)),
];

/** Whether the fingerprints of some keys are still of the former form; each search then looks for both. */
export async function hasFormerFingerprints(tx: Db): Promise<boolean> {
  const [row] = await tx.execute<{ some: boolean }>(
    sql`select exists (select from keys where letters_hash is null) as some`,
  );
  return row!.some;
}
