import { DEFAULT_LOCALE, type Locale } from "@/lib/platform/i18n/locales";

/** A review shows as soon as it is written, by a verified buyer; staff may hide it. */
export const REVIEW_STATES = ["published", "hidden"] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

export const RATING_MIN = 1;
export const RATING_MAX = 5;

/** Reviews that a product's page shows before more are asked for. */
export const REVIEWS_SHOWN = 5;

/** Characters; a title is one line. */
export const TITLE_MAX = 120;
export const CONTENT_MAX = 4000;

/**
 * What a buyer wrote as plain text: line breaks stay, at most one empty line between two. Other control characters go,
 * and those that turn the direction of the text that follows.
 */
export function plainText(text: string, { lines }: { lines: boolean }): string {
  const plain = text
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\ufeff]/gu, "")
    .replace(/\t/g, " ");
  return (lines ? plain.replace(/\n\s*\n\s*\n/g, "\n\n") : plain.replace(/\s+/g, " ")).trim();
}

const LETTERS = /\p{L}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HAN = /\p{Script=Han}/u;

/** The language that a text is most likely in: by its script, and by the shop it was written in where that may be so. */
export function detectLanguage(text: string, shop: Locale): Locale {
  if (KANA.test(text)) return "ja";
  if (HAN.test(text)) return shop === DEFAULT_LOCALE ? "zh" : shop;
  return LETTERS.test(text) ? DEFAULT_LOCALE : shop;
}
