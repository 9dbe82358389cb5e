import { createTranslator } from "next-intl";
import { memoize } from "@/lib/platform/memoize";
import { DEFAULT_LOCALE, type Locale } from "./locales";
import { MESSAGES } from "./messages";

/** The options of a translator of all messages. A missing message or value throws, so that no incomplete text is sent. */
export const translatorOptions = (locale: Locale) => ({
  locale,
  messages: MESSAGES[locale] ?? MESSAGES[DEFAULT_LOCALE],
  timeZone: "UTC",
  onError(error: Error) {
    throw error;
  },
});

/** Caches a translator per language, because creating one parses its messages. */
export const cacheByLocale = <T>(create: (locale: Locale) => T): ((locale: Locale) => T) =>
  memoize((locale) => create(locale as Locale));

/** All messages of the shop outside of pages: for emails, API results and files. */
export const shopTranslator = cacheByLocale((locale) => createTranslator(translatorOptions(locale)));
