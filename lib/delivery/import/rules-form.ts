import { foldCode, foldText } from "@/lib/platform/fold-text";

/** Letters and digits that a code has at least. */
export const CODE_MIN = 8;

/** An address of email, or of a page or a computer. */
const ADDRESS = /^(?:mailto:)?[^\s@]+@[^\s@]+\.[^\s@]+$/u;
const URL =
  /^(?:[a-z][a-z0-9+.-]*:\/\/|www\.|(?:[a-z0-9-]+\.)+(?:[a-z]{2,}[/?#]|(?:com|net|org|info|io|app|dev|shop|store|me|example|co\.[a-z]{2})$))/i;
const IP = /^(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?$/;
/** The number of an order, as the shop writes it. */
const ORDER_NUMBER = /^#?PL-?\d{2}(?:0[1-9]|1[0-2])-?\d{4,8}$/i;
/** The same without its beginning. */
const BARE_ORDER_NUMBER = /^#?\d{2}(?:0[1-9]|1[0-2])-?\d{4}$/;
/** Groups of letters or digits with hyphens between them. */
const GROUPS = /[\p{L}\p{N}]{2,}-[\p{L}\p{N}]{2,}/u;
/** A word of a sentence, or of an address of a street. */
const WORD = /^\p{L}{3,}[.,;:!?]*$/u;

/**
 * What a text that is sent as a code may be. `none`: not a code of any product, such as an address or the number of an order. `weak` may be
 * mistaken for a word or a number of another text, where codes are masked and refused.
 */
export type CodeForm = "code" | "weak" | "none";

export function codeForm(text: string): CodeForm {
  const typed = foldText(text).trim();
  const plain = foldCode(text);
  if ([ADDRESS, URL, IP, ORDER_NUMBER].some((pattern) => pattern.test(plain))) return "none";
  const signs = plain.replace(/[^\p{L}\p{M}\p{N}]/gu, "");
  const words = typed.split(/\s+/u);
  const isSentence = words.length > 1 && words.some((word) => WORD.test(word) && /\p{Ll}/u.test(word));
  const isDistinct = /\p{N}/u.test(signs) || GROUPS.test(plain);
  const isWeak = signs.length < CODE_MIN || !isDistinct || isSentence || BARE_ORDER_NUMBER.test(plain);
  return isWeak ? "weak" : "code";
}
