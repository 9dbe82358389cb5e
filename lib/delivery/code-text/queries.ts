import { type SQL, sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { hasFormerFingerprints, printsOfKey } from "@/lib/delivery/fingerprints/queries";
import { lettersOfKey, MASKED_CODE } from "@/lib/delivery/rules";
import { shortFingerprint } from "@/lib/platform/crypto/vault";
import { ShopError } from "@/lib/platform/errors";

/** Words of a text that are compared with codes. */
const MAX_WORDS = 500;
const CODE_LENGTH = 4;
const CODE_LENGTH_MAX = 64;
/** Letters and digits from which on a text with a digit, or in groups with hyphens, is a code to everybody. */
const STRONG_LENGTH = 8;
/** What looks like a code to anybody: letters and digits together. */
const CODE_SHAPED = /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{8,}/g;
/** What no code is written with, except between its groups. Letters that are not drawn do not count. */
const WORD = /[^\s\p{P}\p{Z}\p{Sm}\p{Sc}\p{Sk}]+/gu;
const HYPHENS_ONLY = /^[\p{Pd}\u2212]$/u;

/** A part of a text as it is written, its letters and digits alone, and whether it looks like a code without knowing any. */
type Part = { text: string; letters: string; strong: boolean };

/**
 * The words of a text, and words that follow each other as one, because a code may be written with spaces, without its hyphens,
 * in any width and case, and with letters that are not drawn.
 */
function partsOf(text: string): Part[] {
  const words = [...text.matchAll(WORD)].slice(0, MAX_WORDS).map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    letters: lettersOfKey(match[0]),
  }));
  const parts = new Map<string, Part>();
  for (const [first, { start }] of words.entries()) {
    let letters = "";
    let hyphenated = true;
    for (const [n, word] of words.slice(first, first + CODE_LENGTH_MAX).entries()) {
      if (n > 0)
        hyphenated &&= HYPHENS_ONLY.test(text.slice(words[first + n - 1]!.end, word.start).trim() || "x");
      letters += word.letters;
      if (letters.length > CODE_LENGTH_MAX) break;
      if (letters.length < CODE_LENGTH) continue;
      const strong = letters.length >= STRONG_LENGTH && (/\d/.test(letters) || (n > 0 && hyphenated));
      const part = { text: text.slice(start, word.end), letters, strong };
      if (n === 0 || strong) parts.set(part.text, part);
    }
  }
  return [...parts.values()];
}

/**
 * The codes with which a text is compared. `orderId`: those sold in this order or by its merchants; `merchantId`: those of this
 * merchant, which must not learn whether a text is a code of another one; without both: all that were sold, if the text looks like
 * a code, so that no merchant's codes can be words that nobody may write any more.
 */
export type CodeScope = { orderId?: string; merchantId?: string };

const SOLD = sql`k.order_line_id is not null and k.state <> 'reserved'`;

function scopeSql({ orderId, merchantId }: CodeScope): SQL {
  const ofMerchants = (merchants: SQL) =>
    sql`exists (select from plans pl join products p on p.id = pl.product_id where pl.id = k.plan_id and p.merchant_id in (${merchants}))`;
  if (merchantId !== undefined) return ofMerchants(sql`${merchantId}`);
  if (orderId === undefined) return SOLD;
  const sellers = sql`select p.merchant_id from order_lines l join products p on p.id = l.product_id where l.order_id = ${orderId}`;
  return sql`${SOLD} and (k.order_line_id in (select id from order_lines where order_id = ${orderId}) or ${ofMerchants(sellers)})`;
}

/** The parts of texts that are activation codes, as they are written; the longest first. */
async function findCodes(tx: Db, texts: readonly string[], scope: CodeScope): Promise<string[]> {
  const isScoped = scope.orderId !== undefined || scope.merchantId !== undefined;
  const parts = texts.flatMap(partsOf).filter(({ strong }) => isScoped || strong);
  if (parts.length === 0) return [];
  const byPrint = new Map<string, string[]>();
  const add = (print: string, text: string) => byPrint.set(print, [...(byPrint.get(print) ?? []), text]);
  const former = await hasFormerFingerprints(tx);
  for (const { text, letters } of parts) {
    add(String(shortFingerprint(letters)), text);
    if (former) for (const print of printsOfKey(text, { former })) add(print, text);
  }
  const prints = sql.param([...byPrint.keys()].filter((print) => former && print.length > 20));
  const letters = sql.param([...byPrint.keys()].filter((print) => print.length <= 20));
  const found = await tx.execute<{ fingerprint: string; letters: string | null }>(sql`
    select k.fingerprint, k.letters_hash::text as letters from keys k
    where (k.letters_hash = any(${letters}::bigint[]) or k.fingerprint = any(${prints}::text[])) and ${scopeSql(scope)}`);
  return found
    .flatMap((row) => byPrint.get(row.letters ?? row.fingerprint) ?? [])
    .sort((a, b) => b.length - a.length);
}

/** Whether a text contains an activation code (`CodeScope`). */
export const hasCode = async (tx: Db, text: string, scope: CodeScope = {}): Promise<boolean> =>
  (await findCodes(tx, [text], scope)).length > 0;

/** @throws ShopError note_has_code: a text that staff or a merchant writes contains an activation code */
export async function requireNoCode(
  tx: Db,
  text: string | null | undefined,
  scope: CodeScope = {},
): Promise<void> {
  if (text && (await hasCode(tx, text, scope))) throw new ShopError("note_has_code");
}

/** Whether one of these codes, which need not be stored yet, stands in one of the texts. */
export async function repeatsCode(
  codes: AsyncIterable<{ key: string }>,
  texts: readonly string[],
): Promise<boolean> {
  const parts = new Set(texts.flatMap(partsOf).map(({ letters }) => letters));
  for await (const { key } of codes) if (parts.has(lettersOfKey(key))) return true;
  return false;
}

/** Masks the activation codes in texts that shoppers wrote, because the consoles show no code. `merchantId`: those of this merchant, and all that look like codes. */
export async function maskCodes<Text extends string | null>(
  texts: readonly Text[],
  merchantId?: string,
): Promise<Text[]> {
  const written = texts.filter((text) => text !== null);
  const found = await findCodes(db, written, { merchantId });
  // Whatever looks like a code, so that dots do not say that it is one.
  const shaped =
    merchantId === undefined ? [] : written.flatMap((text) => (text as string).match(CODE_SHAPED) ?? []);
  const codes = [...new Set([...found, ...shaped])].sort((a, b) => b.length - a.length);
  if (codes.length === 0) return [...texts];
  const mask = (text: string) => codes.reduce((masked, code) => masked.replaceAll(code, MASKED_CODE), text);
  return texts.map((text) => (text === null ? text : (mask(text) as Text)));
}
