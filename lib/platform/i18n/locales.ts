import type consoleMessages from "@/messages/console/en.json";
import type messages from "@/messages/en.json";

/** The languages of the shop, the default first. Nowhere else is a list of them (tests/architecture/locales.test.ts). */
export const LOCALES = ["en", "zh", "ja"] as const;
export type Locale = (typeof LOCALES)[number];
export const DEFAULT_LOCALE: Locale = LOCALES[0];

/** The languages that texts are translated into. */
export const [, ...TRANSLATIONS] = LOCALES;
export type Translation = (typeof TRANSLATIONS)[number];

/** A value for each language, looked up by any text. */
export type LocaleTable<T> = Readonly<Record<Locale, T> & { [text: string]: T | undefined }>;

/** A value for each language. */
export const byLocale = <T>(of: (locale: Locale) => T): Record<Locale, T> =>
  Object.assign({}, ...LOCALES.map((locale) => ({ [locale]: of(locale) })));

/** A value for each language but the default. */
export const byTranslation = <T>(of: (locale: Translation) => T): Record<Translation, T> =>
  Object.assign({}, ...TRANSLATIONS.map((locale) => ({ [locale]: of(locale) })));

/** Each language in itself. */
export const LANGUAGE_NAMES: Record<Locale, string> = { en: "English", zh: "简体中文", ja: "日本語" };

/** How a language is written: with spaces between words, or in letters of double width without them. */
export const WRITING: Record<Locale, "spaced" | "wide"> = { en: "spaced", zh: "wide", ja: "wide" };

/** Values of `<html lang>` and hreflang. */
export const HTML_LANG: Record<Locale, string> = { en: "en", zh: "zh-Hans", ja: "ja" };

/** The zone of rendered dates, so that server and browser agree; local times name their zone. */
export const TIME_ZONE = "UTC";

export function isLocale(value: unknown): value is Locale {
  return typeof value === "string" && (LOCALES as readonly string[]).includes(value);
}

/** The compiler checks message keys against the English catalogue. */
declare module "next-intl" {
  interface AppConfig {
    Locale: Locale;
    Messages: typeof messages & typeof consoleMessages;
  }
}
