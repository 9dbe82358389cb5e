import type { Locale } from "@/lib/platform/i18n/locales";

const HAN = /\p{Script=Han}/u;
const KANA_OR_HAN = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;

/** What translation tools leave behind when a piece was not put back. */
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

/** The placeholder that was left in a text, or null. */
export function leftoverPlaceholder(text: string): string | null {
  for (const form of LEFTOVERS) {
    const found = form.exec(text);
    if (found) return found[0];
  }
  return null;
}

/** Is there at least one character of the language's own script? Always true for English. */
export function hasOwnScript(locale: Locale, text: string): boolean {
  if (locale === "zh") return HAN.test(text);
  return locale === "ja" ? KANA_OR_HAN.test(text) : true;
}

/**
 * The gate of docs/product.md#13-languages-and-translation: why a Chinese or Japanese text cannot be shown, as a sentence, or
 * null. `mayBeLatin` is for names, which often stay as the vendor writes them.
 */
export function translationProblem(
  locale: Locale,
  text: string,
  { mayBeLatin = false }: { mayBeLatin?: boolean } = {},
): string | null {
  if (locale === "en") return null;
  const left = leftoverPlaceholder(text);
  if (left) return `A placeholder was left in the translation: ${left}`;
  if (mayBeLatin || hasOwnScript(locale, text)) return null;
  return locale === "zh"
    ? "The Chinese text has no Chinese character in it."
    : "The Japanese text has neither kana nor kanji in it.";
}
