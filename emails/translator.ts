import { createTranslator } from "next-intl";
import { DEFAULT_LOCALE, type Locale } from "@/lib/platform/i18n/locales";
import { memoize } from "@/lib/platform/memoize";
import en from "@/messages/en.json";
import ja from "@/messages/ja.json";
import zh from "@/messages/zh.json";

const MESSAGES = { en, zh, ja };

const setting = (locale: Locale) => ({
  locale,
  messages: MESSAGES[locale] ?? MESSAGES[DEFAULT_LOCALE],
  timeZone: "UTC",
  onError(error: Error) {
    throw error;
  },
});

/** A translator that is kept has parsed its messages already; in Next's bundles the build has (docs/decisions/0022-prepare-browser-files-in-the-build.md). */
const keptByLocale = <T>(make: (locale: Locale) => T): ((locale: Locale) => T) =>
  memoize((locale) => make(locale as Locale));

/** The words of the mails, outside any request. A missing message or value throws in the worker: no mail goes out with a gap. */
export const mailTranslator = keptByLocale((locale) =>
  createTranslator({ ...setting(locale), namespace: "emails" }),
);

/** All words of the shop, for what a mail calls by the same name as the pages. */
export const shopTranslator = keptByLocale((locale) => createTranslator(setting(locale)));

/** The words of the refund decision, for an answer that quotes them. */
export const refundTranslator = keptByLocale((locale) =>
  createTranslator({ ...setting(locale), namespace: "payments.refund" }),
);

export type MailTranslator = ReturnType<typeof mailTranslator>;
