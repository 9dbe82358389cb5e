import { DEFAULT_LOCALE, type Locale } from "@/lib/platform/i18n/locales";

/** Where and how a code is redeemed, in the reader's language, else in English. */
export function activationFor(
  activation: { url: string | null; steps: Record<string, string[]> },
  locale: Locale,
) {
  return { url: activation.url, steps: activation.steps[locale] ?? activation.steps[DEFAULT_LOCALE] ?? [] };
}
