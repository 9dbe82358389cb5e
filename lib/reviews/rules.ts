import { DEFAULT_LOCALE, LOCALES, type Locale } from "@/lib/platform/i18n/locales";

/** Reviews by verified buyers are published immediately; staff may hide them. */
export const REVIEW_STATES = ["published", "hidden"] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/**
 * Rules by which a review is hidden without staff, as its `hidden_reason` after `rule:`. Their order is the one in which they
 * are checked.
 */
export const REVIEW_RULES = ["refunded", "code_unseen", "own_merchant", "duplicate"] as const;
export type ReviewRule = (typeof REVIEW_RULES)[number];
/** The rule of a reason; null: staff wrote it. */
export const reviewRule = (reason: string | null): ReviewRule | null =>
  REVIEW_RULES.find((rule) => reason === `rule:${rule}`) ?? null;

export const RATING_MIN = 1;
export const RATING_MAX = 5;

/** The average of ratings with one decimal. */
export const averageRating = (sum: number, count: number): number => Math.round((10 * sum) / count) / 10;

/** Reviews on a product page before loading more. */
export const REVIEWS_SHOWN = 5;

/** In characters; a title is one line. */
export const TITLE_MAX = 120;
export const CONTENT_MAX = 4000;
/** The reason for hiding a review, which staff see. */
export const HIDE_REASON_MAX = 500;

/** Plain text with line breaks and at most one empty line, without other control characters and direction marks. */
export function plainText(text: string, { keepLines }: { keepLines: boolean }): string {
  const plain = text
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\ufeff]/gu, "")
    .replace(/\t/g, " ");
  return (keepLines ? plain.replace(/\n\s*\n\s*\n/g, "\n\n") : plain.replace(/\s+/g, " ")).trim();
}

const LETTERS = /\p{L}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HAN = /\p{Script=Han}/u;

/** Letters that only texts in one language have; null: none, because others have its letters too. */
const UNIQUE_LETTERS: Record<Locale, RegExp | null> = { en: null, zh: null, ja: KANA };

/** The likely language of a text, by script and by the shop's language. */
export function detectLanguage(text: string, shopLocale: Locale): Locale {
  const certain = LOCALES.find((locale) => UNIQUE_LETTERS[locale]?.test(text));
  if (certain) return certain;
  if (HAN.test(text)) return shopLocale === DEFAULT_LOCALE ? "zh" : shopLocale;
  return LETTERS.test(text) ? DEFAULT_LOCALE : shopLocale;
}

/** States of a merchant's reply to a review. */
export const REPLY_STATES = ["waiting", "shown", "refused"] as const;
