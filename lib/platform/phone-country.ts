import { foldCode } from "@/lib/platform/fold-text";
import type { Locale } from "@/lib/platform/i18n/locales";

/**
 * The country whose numbers are written without a country code on pages of a language; none for English, which is read
 * in too many countries.
 */
export const PHONE_COUNTRY: Readonly<Record<Locale, "CN" | "JP" | undefined>> = {
  en: undefined,
  zh: "CN",
  ja: "JP",
};

/** A phone number with plain digits and hyphens and without spaces, and a plus for the 00 before a country's code. */
export const foldPhone = (text: string): string => foldCode(text).replace(/^00/, "+");

/** A rough format check of a phone number; the server validates it (`parsePhone`). */
export function isPhoneLike(text: string, locale: Locale): boolean {
  const folded = foldPhone(text);
  const isComplete = folded.startsWith("+") || PHONE_COUNTRY[locale] !== undefined;
  return isComplete && /^\d{7,17}$/.test(folded.replace(/[+()./-]/g, ""));
}
