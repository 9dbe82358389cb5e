/**
 * How a text is taken apart for the search. The functions search_fold and search_vector of
 * db/functions do the same with what is stored; tests/domain/search-text.test.ts compares the two.
 */

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЄІҐØøĐđŁłı";
const LOWER = "abcdefghijklmnopqrstuvwxyzαβγδεζηθικλμνξοπρστυφχψωσабвгдежзиклмнопрстуфхцчшщъыьэюяєіґooddlli";
const PLAIN: ReadonlyMap<string, string> = new Map([
  ...[...UPPER].map((letter, i) => [letter, [...LOWER][i]!] as const),
  ["ß", "ss"],
  ["ẞ", "ss"],
  ["æ", "ae"],
  ["Æ", "ae"],
  ["œ", "oe"],
  ["Œ", "oe"],
]);
const TO_PLAIN = new RegExp(`[${[...PLAIN.keys()].join("")}]`, "gu");

/** Case, width and accents are folded, by the same list of letters in every database. */
export const searchFold = (text: string): string =>
  text
    .toWellFormed()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replace(TO_PLAIN, (letter) => PLAIN.get(letter) ?? letter);

/** Scripts written without spaces: kana, Han, bopomofo, Hangul. */
const RUN =
  "\\u3005-\\u3007\\u3041-\\u3096\\u309d-\\u309f\\u30a1-\\u30fa\\u30fc-\\u312f\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uf900-\\ufaff\\u{20000}-\\u{3ffff}";
/** Neither a word's letters nor such scripts: punctuation, signs, private use, emoji. */
const BETWEEN =
  "\\u0000-\\u002f\\u003a-\\u0060\\u007b-\\u00bf\\u00d7\\u00f7\\u2000-\\u206f\\u20a0-\\u20cf\\u2100-\\u2bff\\u2e00-\\u3004\\u3008-\\u3040\\u3097-\\u309c\\u30a0\\u30fb\\u3130-\\u31ef\\u3200-\\u33ff\\u4dc0-\\u4dff\\ud800-\\uf8ff\\ufe00-\\ufe6f\\ufff0-\\uffff\\u{1f000}-\\u{1ffff}\\u{e0000}-\\u{10ffff}";
const PARTS = new RegExp(`([${RUN}]+)|([^${RUN}${BETWEEN}]+[+#]*)`, "gu");

/** A longer word counts with its first letters. */
const WORD_LETTERS = 64;

export type TextPart = { kind: "run"; letters: string[] } | { kind: "word"; word: string };

/** The words and runs of a text, in order. A run is a stretch of Chinese, Japanese or Korean. */
export const textParts = (text: string): TextPart[] =>
  [...searchFold(text).matchAll(PARTS)].map(([, run, word = ""]) =>
    run
      ? { kind: "run", letters: [...run] }
      : { kind: "word", word: [...word].slice(0, WORD_LETTERS).join("") },
  );

/** What is stored of a text: words, and of a run every pair of neighbours and its last letter. */
export const storedTokens = (text: string): string[] =>
  textParts(text).flatMap((part) =>
    part.kind === "word"
      ? [part.word]
      : part.letters.map((letter, i) => letter + (part.letters[i + 1] ?? "")),
  );
