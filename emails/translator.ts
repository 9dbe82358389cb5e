import { createTranslator } from "next-intl";
import { DEFAULT_LOCALE, type Locale } from "@/lib/platform/i18n/locales";
import { memoize } from "@/lib/platform/memoize";
import en from "@/messages/en.json";
import ja from "@/messages/ja.json";
import zh from "@/messages/zh.json";

const MESSAGES = { en, zh, ja };

const createOptions = (locale: Locale) => ({
  locale,
  messages: MESSAGES[locale] ?? MESSAGES[DEFAULT_LOCALE],
  timeZone: "UTC",
  onError(error: Error) {
    throw error;
  },
});

/** Caches a translator per language, because creating one parses its messages. */
const cacheByLocale = <T>(create: (locale: Locale) => T): ((locale: Locale) => T) =>
  memoize((locale) => create(locale as Locale));

/** Messages of emails. A missing message or value throws, so that no incomplete email is sent. */
export const mailTranslator = cacheByLocale((locale) =>
  createTranslator({ ...createOptions(locale), namespace: "emails" }),
);

/** All messages of the shop, for names that emails share with pages. */
export const shopTranslator = cacheByLocale((locale) => createTranslator(createOptions(locale)));

/** Messages of the refund decision, for API results that contain its sentence. */
export const refundTranslator = cacheByLocale((locale) =>
  createTranslator({ ...createOptions(locale), namespace: "payments.refund" }),
);

export type MailTranslator = ReturnType<typeof mailTranslator>;
