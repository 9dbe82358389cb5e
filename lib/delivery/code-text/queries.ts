import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { hasFormerFingerprints, printsOfKey } from "@/lib/delivery/fingerprints/queries";
import { MASKED_CODE, normalizeKey } from "@/lib/delivery/rules";
import { ShopError } from "@/lib/platform/errors";

/** Words of a text that are compared with codes. */
const MAX_WORDS = 500;
const CODE_LENGTH = 4;
/** What looks like a code to anybody: letters and digits together. */
const CODE_SHAPED = /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{8,}/g;
/** Letters and digits as codes have them, within any other text. */
const CODE_LIKE = /[A-Za-z0-9][\w-]{3,}/g;

/** The lines and words of a text, and what looks like a code within it, as they are written. */
function partsOf(text: string): string[] {
  const words = text.split(/[\s,;:"'()]+/).slice(0, MAX_WORDS);
  const lines = text.split("\n").map((line) => line.trim());
  const parts = [...lines, ...words, ...(text.match(CODE_LIKE) ?? []).slice(0, MAX_WORDS)];
  return [...new Set(parts)].filter((part) => normalizeKey(part).length >= CODE_LENGTH);
}

/**
 * The parts of texts that are activation codes, as they are written; the longest first. `merchantId`: only those of this
 * merchant, which must not learn whether a text is a code of another one.
 */
async function findCodes(tx: Db, texts: readonly string[], merchantId?: string): Promise<string[]> {
  const parts = [...new Set(texts.flatMap(partsOf))];
  if (parts.length === 0) return [];
  const byFingerprint = new Map<string, string[]>();
  const former = await hasFormerFingerprints(tx);
  for (const part of parts)
    for (const print of printsOfKey(part, { former }))
      byFingerprint.set(print, [...(byFingerprint.get(print) ?? []), part]);
  const found = await tx.execute<{ fingerprint: string }>(
    sql`select fingerprint from keys where fingerprint = any(${sql.param([...byFingerprint.keys()])}::text[])
      ${merchantId === undefined ? sql`` : sql`and exists (select from plans pl join products p on p.id = pl.product_id where pl.id = plan_id and p.merchant_id = ${merchantId})`}`,
  );
  return found.flatMap((row) => byFingerprint.get(row.fingerprint) ?? []).sort((a, b) => b.length - a.length);
}

/** Whether a text contains an activation code, of this merchant if one is named. */
export const hasCode = async (tx: Db, text: string, merchantId?: string): Promise<boolean> =>
  (await findCodes(tx, [text], merchantId)).length > 0;

/** @throws ShopError note_has_code: a text that staff or a merchant writes contains an activation code */
export async function requireNoCode(
  tx: Db,
  text: string | null | undefined,
  merchantId?: string,
): Promise<void> {
  if (text && (await hasCode(tx, text, merchantId))) throw new ShopError("note_has_code");
}

/** Whether one of these codes, which need not be stored yet, stands in one of the texts. */
export async function repeatsCode(
  codes: AsyncIterable<{ key: string }>,
  texts: readonly string[],
): Promise<boolean> {
  const parts = new Set(texts.flatMap(partsOf).map(normalizeKey));
  for await (const { key } of codes) if (parts.has(normalizeKey(key))) return true;
  return false;
}

/** Masks the activation codes in texts that shoppers wrote, because the consoles show no code. `merchantId`: those of this merchant, and all that look like codes. */
export async function maskCodes<Text extends string | null>(
  texts: readonly Text[],
  merchantId?: string,
): Promise<Text[]> {
  const written = texts.filter((text) => text !== null);
  const found = await findCodes(db, written, merchantId);
  // Whatever looks like a code, so that dots do not say that it is one.
  const shaped =
    merchantId === undefined ? [] : written.flatMap((text) => (text as string).match(CODE_SHAPED) ?? []);
  const codes = [...new Set([...found, ...shaped])].sort((a, b) => b.length - a.length);
  if (codes.length === 0) return [...texts];
  const mask = (text: string) => codes.reduce((masked, code) => masked.replaceAll(code, MASKED_CODE), text);
  return texts.map((text) => (text === null ? text : (mask(text) as Text)));
}
