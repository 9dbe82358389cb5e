import type { LocaleTable } from "@/lib/platform/i18n/locales";
import type { Currency } from "./rules";

// Loaded by the browser after the page, because it creates Intl formats.

const EURO = "AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK";
const COUNTRIES: Readonly<Record<string, Currency>> = {
  ...Object.fromEntries(EURO.split(" ").map((country) => [country, "EUR" as const])),
  GB: "GBP",
  JP: "JPY",
  CN: "CNY",
  TW: "TWD",
  HK: "HKD",
  KR: "KRW",
  SG: "SGD",
  AU: "AUD",
  NZ: "NZD",
  CA: "CAD",
  CH: "CHF",
  LI: "CHF",
  SE: "SEK",
  IN: "INR",
  BR: "BRL",
  MX: "MXN",
};

/** Pages in a language default to this currency, unless the browser names a country of the language; null: to the browser's. */
const LANGUAGES: LocaleTable<Currency | null> = { en: null, zh: "CNY", ja: "JPY" };

/**
 * The currency of a reader who has chosen none: that of the country of the browser's language ("en-GB"), or of the
 * country where that language is spoken most. A page in another language than the browser's decides by its language.
 */
export function defaultCurrency(browserLanguage: string, pageLanguage: string): Currency {
  const byPage = LANGUAGES[pageLanguage];
  try {
    const { language, region = "" } = new Intl.Locale(browserLanguage).maximize();
    return byPage && language !== pageLanguage ? byPage : (COUNTRIES[region] ?? "USD");
  } catch {
    return byPage ?? "USD";
  }
}

const SIGNIFICANT_DIGITS = 3;

/**
 * An approximate price: `≈ ¥1,500`. Rounded to three digits, so that no one takes it for the amount that is charged.
 * `cents` are US cents, `rate` is units of the currency for one US dollar.
 */
export function formatApproximate(cents: number, currency: Currency, rate: number, locale: string): string {
  const amount = Number(((cents / 100) * rate).toPrecision(SIGNIFICANT_DIGITS));
  const format = new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    ...(amount >= 100 && { minimumFractionDigits: 0, maximumFractionDigits: 0 }),
  });
  return `≈ ${format.format(amount)}`;
}
