import { COUNTRIES } from "@/lib/accounts/billing/rules";
import { HTML_LANG, type Locale } from "@/lib/platform/i18n/locales";

/** The countries as options of a select, named and sorted in a language. Server and browsers may name them differently. */
export function countryOptions(locale: Locale) {
  const language = HTML_LANG[locale];
  const names = new Intl.DisplayNames([language], { type: "region" });
  const { compare } = new Intl.Collator(language);
  return COUNTRIES.map((value) => ({ value, label: names.of(value) ?? value })).sort((a, b) =>
    compare(a.label, b.label),
  );
}
