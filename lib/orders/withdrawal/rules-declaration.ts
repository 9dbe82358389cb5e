import type { Locale } from "@/lib/platform/i18n/locales";

/** The version of the words that a declaration is made with (`orders.withdraw` in messages/), stored with each. */
export const DECLARATION_VERSION = "2026-12";

/** What somebody declared, in their own words. */
export type DeclaredWords = {
  /** ISO 8601 */
  at: string;
  name: string | null;
  /** which passes; null: all of the order */
  passes: string | null;
  language: Locale;
  version: string;
};

/** So many declarations of one order and address keep their words; further ones are only counted. */
export const DECLARED_WORDS = 20;

/** Receipts of declarations that are mailed a day: to an address, and from an address group. */
export const RECEIPTS_PER_ADDRESS = 3;
export const RECEIPTS_PER_NETWORK = 20;

/** Days from a declaration to the end of the statutory time for its refund. */
export const DECLARATION_DAYS = 14;

export const DECLARATION_STATES = ["open", "proved", "closed"] as const;
export type DeclarationState = (typeof DECLARATION_STATES)[number];

/** Whether a text is an order's number or id, so that it may stand in an email to an address that nobody has verified. */
export const isOrderReference = (text: string): boolean =>
  /^(PL-\d{4}-\d{4,8}|ord_[a-z0-9]{8,40})$/i.test(text);
