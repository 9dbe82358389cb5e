import { createTranslator } from "next-intl";
import { DEFAULT_LOCALE, type Locale } from "@/lib/i18n";
import en from "@/messages/en.json";
import ja from "@/messages/ja.json";
import zh from "@/messages/zh.json";

const MESSAGES = { en, zh, ja };

/** The words of the mails, outside any request. A missing message or value throws: no mail goes out with a gap. */
export function mailTranslator(locale: Locale) {
  return createTranslator({
    locale,
    messages: MESSAGES[locale] ?? MESSAGES[DEFAULT_LOCALE],
    namespace: "emails",
    timeZone: "UTC",
    onError(error) {
      throw error;
    },
  });
}

export type MailTranslator = ReturnType<typeof mailTranslator>;
