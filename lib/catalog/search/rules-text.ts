// Folds and tokenizes text for the search. The SQL functions search_fold and search_vector (db/functions) do the same for
// stored texts; tests/domain/search-text.test.ts compares both.

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЄІҐØøĐđŁłı";
const LOWER = "abcdefghijklmnopqrstuvwxyzαβγδεζηθικλμνξοπρστυφχψωσабвгдежзиклмнопрстуфхцчшщъыьэюяєіґooddlli";
const FOLDED_LETTERS: ReadonlyMap<string, string> = new Map([
  ...[...UPPER].map((letter, i) => [letter, [...LOWER][i]!] as const),
  ["ß", "ss"],
  ["ẞ", "ss"],
  ["æ", "ae"],
  ["Æ", "ae"],
  ["œ", "oe"],
  ["Œ", "oe"],
]);
const FOLDABLE = new RegExp(`[${[...FOLDED_LETTERS.keys()].join("")}]`, "gu");

/** Folds case, width and accents with a fixed list of letters, independent of the database's locale. */
export const searchFold = (text: string): string =>
  text
    .toWellFormed()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replace(FOLDABLE, (letter) => FOLDED_LETTERS.get(letter) ?? letter);

/** Scripts written without spaces: kana, Han, bopomofo, Hangul. */
const RUN_CHARACTERS =
  "\\u3005-\\u3007\\u3041-\\u3096\\u309d-\\u309f\\u30a1-\\u30fa\\u30fc-\\u312f\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uf900-\\ufaff\\u{20000}-\\u{3ffff}";
/** Characters that separate words: punctuation, symbols, private use, emoji. */
const SEPARATORS =
  "\\u0000-\\u002f\\u003a-\\u0060\\u007b-\\u00bf\\u00d7\\u00f7\\u2000-\\u206f\\u20a0-\\u20cf\\u2100-\\u2bff\\u2e00-\\u3004\\u3008-\\u3040\\u3097-\\u309c\\u30a0\\u30fb\\u3130-\\u31ef\\u3200-\\u33ff\\u4dc0-\\u4dff\\ud800-\\uf8ff\\ufe00-\\ufe6f\\ufff0-\\uffff\\u{1f000}-\\u{1ffff}\\u{e0000}-\\u{10ffff}";
const TEXT_PARTS = new RegExp(`([${RUN_CHARACTERS}]+)|([^${RUN_CHARACTERS}${SEPARATORS}]+[+#]*)`, "gu");

/** Longer words are truncated. */
const MAX_WORD_LETTERS = 64;

export type TextPart = { kind: "run"; letters: string[] } | { kind: "word"; word: string };

/** The words and runs of a text, in order. A run is a sequence of Chinese, Japanese or Korean letters. */
export const textParts = (text: string): TextPart[] =>
  [...searchFold(text).matchAll(TEXT_PARTS)].map(([, run, word = ""]) =>
    run
      ? { kind: "run", letters: [...run] }
      : { kind: "word", word: [...word].slice(0, MAX_WORD_LETTERS).join("") },
  );

/** The tokens that a search document stores: words, and of each run its bigrams and its last letter. */
export const storedTokens = (text: string): string[] =>
  textParts(text).flatMap((part) =>
    part.kind === "word"
      ? [part.word]
      : part.letters.map((letter, i) => letter + (part.letters[i + 1] ?? "")),
  );

const RUN = new RegExp(`[${RUN_CHARACTERS}]`, "u");
const SCRIPTS = new RegExp(`[${RUN_CHARACTERS}]+|[^${RUN_CHARACTERS}]+`, "gu");

/** Separates a folded word where Latin letters meet Chinese or Japanese ones: ai画像 is ai and 画像. Digits separate nothing. */
export function splitScripts(word: string): string[] {
  const pieces: string[] = [];
  for (const piece of word.match(SCRIPTS) ?? [])
    if (pieces.length > 0 && !/[a-z]/.test((pieces.at(-1) ?? "") + piece)) pieces.push(pieces.pop() + piece);
    else pieces.push(piece);
  return pieces;
}

const segmenter = new Intl.Segmenter("ja", { granularity: "word" });

/** The words of Chinese or Japanese text without spaces, by a dictionary that holds both languages; else the word itself. */
export const segmentWords = (word: string): string[] =>
  RUN.test(word)
    ? [...segmenter.segment(word)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)
    : [word];
