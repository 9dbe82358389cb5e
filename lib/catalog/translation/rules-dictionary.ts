import type { Locale } from "@/lib/platform/i18n/locales";
import { translationProblem } from "./rules";

type Entry = { zh: string; ja: string };

/** Names of passes, as vendors and shoppers write them in English (docs/product.md#13-languages-and-translation): the spelling is folded, see `keyOf`. */
const PASSES: Readonly<Record<string, Entry>> = {
  "day pass": { zh: "日卡", ja: "1日パス" },
  "week pass": { zh: "周卡", ja: "1週間パス" },
  "month pass": { zh: "月卡", ja: "1か月パス" },
  "year pass": { zh: "年卡", ja: "1年パス" },
  "lifetime pass": { zh: "终身卡", ja: "無期限パス" },
  "free pass": { zh: "免费会员卡", ja: "無料パス" },
  "limited offer": { zh: "限时优惠", ja: "期間限定" },
};

const SAME: Readonly<Record<string, string>> = {
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

/** "Weekly  Passes" → "week pass". */
const keyOf = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/\b(pass|offer)(?:es|s)\b/, "$1")
    .split(" ")
    .map((word) => SAME[word] ?? word)
    .join(" ");

/** The language that the helper knows: any but English and Japanese counts as Chinese (docs/product.md#13-languages-and-translation). */
export const dictionaryLanguage = (language: string): Locale => {
  const known = language.toLowerCase().split("-", 1)[0];
  return known === "en" || known === "ja" ? known : "zh";
};

/**
 * An English term in another language, by the dictionary; the English text when the dictionary lacks it, or when what
 * it holds does not pass the gate (docs/product.md#13-languages-and-translation: the target's own script, no placeholder left).
 */
export function translateTerm(
  text: string,
  language: string,
  dictionary: Readonly<Record<string, Entry>> = PASSES,
): string {
  const locale = dictionaryLanguage(language);
  if (locale === "en") return text;
  const key = keyOf(text);
  const found = Object.hasOwn(dictionary, key) ? dictionary[key]?.[locale] : undefined;
  return found !== undefined && translationProblem(locale, found) === null ? found : text;
}
