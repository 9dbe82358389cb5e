/** Letters that are not drawn: zero-width spaces, soft hyphens, direction marks, byte order marks. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Dashes of all kinds, minus signs, and the long mark that Japanese keyboards write for a hyphen; a vowel after kana. */
const HYPHENS =
  /[\p{Pd}\u00af\u02d7\u2043\u2212\u2500]|(?<![\p{Script=Hiragana}\p{Script=Katakana}])\u30fc/gu;
/** Arabic and Persian digits, whose last four bits are their value. */
const DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g;

/** A text without letters that are not drawn. */
export const dropInvisible = (text: string): string => text.replace(INVISIBLE, "");

/** The same, with plain letters and digits for full-width ones. */
export const foldText = (text: string): string => dropInvisible(text.normalize("NFKC"));

/** The same, with plain hyphens and digits and without spaces: a code, a number or a postal code as it is meant. */
export const foldCode = (text: string): string =>
  foldText(text)
    .replace(/\s+/gu, "")
    .replace(HYPHENS, "-")
    .replace(DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf));

/** The letters and digits of a code alone, which someone types in groups or with hyphens. */
export const foldAlphanumerics = (text: string): string => foldCode(text).replace(/[^\p{L}\p{M}\p{N}]/gu, "");

/** Quotes and brackets around a copied text, and the stop or comma after it. */
const AROUND = /^[\s"'“”‘’«»「」『』([<#]+|[\s"'“”‘’«»「」『』)\]>.,;:。、]+$/gu;

/** An order's number (`PL-2611-0042`) in any spelling, also without its hyphens; any other text, such as an id, is kept. */
export function foldOrderNumber(text: string): string {
  const folded = foldCode(text).replace(AROUND, "");
  const [, month, running] = /^PL-?(\d{4})-?(\d{4,8})$/i.exec(folded) ?? [];
  return month ? `PL-${month}-${running}` : folded;
}
