import { createTranslator } from "next-intl";
import { DEFAULT_LOCALE, type Locale } from "@/lib/i18n";
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

/** The words of the mails, outside any request. A missing message or value throws: no mail goes out with a gap. */
export const mailTranslator = (locale: Locale) =>
  createTranslator({ ...setting(locale), namespace: "emails" });

/** All words of the shop, for what a mail calls by the same name as the pages. */
export const shopTranslator = (locale: Locale) => createTranslator(setting(locale));

/** The words of the refund decision, for an answer that quotes them. */
export const refundTranslator = (locale: Locale) =>
  createTranslator({ ...setting(locale), namespace: "payments.refund" });

export type MailTranslator = ReturnType<typeof mailTranslator>;
