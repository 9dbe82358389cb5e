import type messages from "@/messages/en.json";

export const LOCALES = ["en", "zh", "ja"] as const;
export type Locale = (typeof LOCALES)[number];
export const DEFAULT_LOCALE: Locale = "en";

/** What `<html lang>` and hreflang say. */
export const HTML_LANG: Record<Locale, string> = { en: "en", zh: "zh-Hans", ja: "ja" };

/** One zone for every rendered date, so that server and browser agree; screens that need the visitor's own zone say so. */
export const TIME_ZONE = "UTC";

export function isLocale(value: unknown): value is Locale {
  return typeof value === "string" && (LOCALES as readonly string[]).includes(value);
}

/** Message keys are checked by the compiler against the English catalogue. */
declare module "next-intl" {
  interface AppConfig {
    Locale: Locale;
    Messages: typeof messages;
  }
}
