import { createTranslator } from "next-intl";
import type { Locale } from "@/lib/platform/i18n/locales";
import en from "@/messages/en.json" with { type: "json" };
import ja from "@/messages/ja.json" with { type: "json" };
import zh from "@/messages/zh.json" with { type: "json" };

const MESSAGES = { en, zh, ja };

/** Translates message keys, so that a journey finds elements by their text in its language. */
export function createTranslate(locale: Locale) {
  return createTranslator({
    locale,
    messages: MESSAGES[locale] as typeof en,
    timeZone: "UTC",
    onError(error) {
      throw error;
    },
  });
}

export type Translate = ReturnType<typeof createTranslate>;
