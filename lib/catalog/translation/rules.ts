import type { Locale, Translation } from "@/lib/platform/i18n/locales";

const HAN = /\p{Script=Han}/u;
const KANA_OR_HAN = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;

/** Placeholders that translation tools leave in a text. */
const LEFTOVERS: readonly RegExp[] = [
  /\$?\{[^{}\n]{0,60}\}/, // {name}, {{name}}, ${name}
  /\[\[[^\]\n]{0,60}\]\]/, // [[1]]
  /⟦[^⟧\n]{0,60}⟧/,
  /%(?:\d+\$)?[sd@](?![A-Za-z0-9])/, // %s, %1$s
  /%\([A-Za-z_]\w*\)[sd]/, // %(name)s
  /__[A-Z0-9_]{1,40}__/, // __PH_1__
  /<\/?(?:x|g|ph|bx|ex)(?:\s[^<>]*)?\/?>/i, // <x id="1"/>
  /&(?:amp|lt|gt|quot|nbsp|#\d{1,6});/,
  /\uFFFD/,
  /\b(?:TODO|TBD|FIXME|PLACEHOLDER|UNTRANSLATED)\b/,
];

/** The first placeholder left in a text, or null. */
function leftoverPlaceholder(text: string): string | null {
  for (const pattern of LEFTOVERS) {
    const found = pattern.exec(text);
    if (found) return found[0];
  }
  return null;
}

/** The letters of each language's own script; null: Latin letters, of which no text tells its language. */
const OWN_SCRIPT: Record<Locale, RegExp | null> = { en: null, zh: HAN, ja: KANA_OR_HAN };

/** Whether a text has at least one character of the language's own script. Always true for English. */
const hasOwnScript = (locale: Locale, text: string): boolean => OWN_SCRIPT[locale]?.test(text) ?? true;

/**
 * The language of a product's text where it differs from the page's: the dictionary has names and taglines of some products
 * that are not translated (`translate_product_text`).
 */
export const foreignLanguage = (text: string, language: Locale, locale: Locale): Locale | undefined =>
  language === locale || hasOwnScript(locale, text) ? undefined : language;

/** Why a text is not a translation: the error of its field in the console, and the placeholder that was left in it. */
export type TranslationFlaw = {
  error: "line_placeholder" | `line_script_${Translation}`;
  values: { found: string };
};

/** Why a Chinese or Japanese text cannot be shown, or null. `mayBeLatin` is for names, which are often not translated. */
export function findTranslationFlaw(
  locale: Locale,
  text: string,
  { mayBeLatin = false }: { mayBeLatin?: boolean } = {},
): TranslationFlaw | null {
  if (locale === "en") return null;
  const found = leftoverPlaceholder(text);
  if (found) return { error: "line_placeholder", values: { found } };
  if (mayBeLatin || hasOwnScript(locale, text)) return null;
  return { error: `line_script_${locale}`, values: { found: "" } };
}

const MESSAGES: Record<TranslationFlaw["error"], string> = {
  line_placeholder: "A placeholder was left in the translation:",
  line_script_zh: "The Chinese text has no Chinese character in it.",
  line_script_ja: "The Japanese text has neither kana nor kanji in it.",
};

/** The flaw as a report of an import says it. */
export const translationMessage = ({ error, values: { found } }: TranslationFlaw): string =>
  found ? `${MESSAGES[error]} ${found}` : MESSAGES[error];

/** `findTranslationFlaw` as the message of a report. */
export function translationProblem(...input: Parameters<typeof findTranslationFlaw>): string | null {
  const flaw = findTranslationFlaw(...input);
  return flaw && translationMessage(flaw);
}
