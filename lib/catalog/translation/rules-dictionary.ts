import { isLocale, type Locale, type TRANSLATIONS, type Translation } from "@/lib/platform/i18n/locales";
import { translationProblem } from "./rules";

export type DictionaryEntry = Record<Translation, string>;

type TextFor<Languages extends readonly unknown[]> = { [Place in keyof Languages]: string };
/** The English name of a product, and its names in the order of TRANSLATIONS. */
export type ProductName = readonly [name: string, ...translated: TextFor<typeof TRANSLATIONS>];

/** Translations of pass names by English term, normalised by `normalizeTerm` (docs/product.md#13-languages-and-translation). */
const PASSES: Readonly<Record<string, DictionaryEntry>> = {
  "day pass": { zh: "日卡", ja: "1日パス" },
  "week pass": { zh: "周卡", ja: "1週間パス" },
  "month pass": { zh: "月卡", ja: "1か月パス" },
  "year pass": { zh: "年卡", ja: "1年パス" },
  "lifetime pass": { zh: "终身卡", ja: "無期限パス" },
  "free pass": { zh: "免费会员卡", ja: "無料パス" },
  "limited offer": { zh: "限时优惠", ja: "期間限定" },
};

const SYNONYMS: Readonly<Record<string, string>> = {
  daily: "day",
  weekly: "week",
  monthly: "month",
  yearly: "year",
  annual: "year",
  "1-day": "day",
  "7-day": "week",
  "30-day": "month",
  "365-day": "year",
  perpetual: "lifetime",
};

/** The key of a term in a dictionary: "Weekly  Passes" → "week pass". */
export const normalizeTerm = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/\b(pass|offer)(?:es|s)\b/, "$1")
    .split(" ")
    .map((word) => SYNONYMS[word] ?? word)
    .join(" ");

/** The language of the dictionary: Chinese for one that the shop does not speak (docs/product.md#13-languages-and-translation). */
const dictionaryLanguage = (language: string): Locale => {
  const code = language.toLowerCase().split("-", 1)[0];
  return isLocale(code) ? code : "zh";
};

/**
 * Translates an English term by the dictionary. Returns the English text when the dictionary lacks the term or its
 * translation has a problem (docs/product.md#13-languages-and-translation: the language's own script, no placeholders).
 */
export function translateTerm(
  text: string,
  language: string,
  dictionary: Readonly<Record<string, DictionaryEntry>> = PASSES,
): string {
  const locale = dictionaryLanguage(language);
  if (locale === "en") return text;
  const key = normalizeTerm(text);
  const found = Object.hasOwn(dictionary, key) ? dictionary[key]?.[locale] : undefined;
  return found !== undefined && translationProblem(locale, found) === null ? found : text;
}
