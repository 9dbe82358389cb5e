import { DEFAULT_LOCALE, type Locale } from "@/lib/platform/i18n/locales";

/** The activation instructions in the reader's language, else in English. */
export function activationFor(
  activation: { url: string | null; steps: Record<string, string[]> },
  locale: Locale,
) {
  return { url: activation.url, steps: activation.steps[locale] ?? activation.steps[DEFAULT_LOCALE] ?? [] };
}
