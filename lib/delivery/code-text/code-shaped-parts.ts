import { lettersOfKey } from "@/lib/delivery/rules";

/** Words of a text that are compared with all spellings of a code. */
const MAX_WORDS = 500;
const CODE_LENGTH = 4;
const CODE_LENGTH_MAX = 64;
/** A code with spaces between its groups is not longer. */
const SPELLED_LENGTH = 2 * CODE_LENGTH_MAX;
/** Letters and digits from which on a text with a digit, or in groups with hyphens, is a code to everyone. */
const STRONG_LENGTH = 8;
/** What looks like a code to anyone: letters and digits together. */
export const CODE_SHAPED = /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{8,}/g;
/**
 * What no code is written with, except between its groups: a word, of Latin letters and digits or of other ones, because Chinese and
 * Japanese texts have no spaces around a code. Letters that are not drawn do not count.
 */
const WORD =
  /(?:(?=[^\s\p{P}\p{Z}\p{Sm}\p{Sc}\p{Sk}])[\p{Script=Latin}\p{N}\p{Cf}\p{M}])+|(?:(?=[^\s\p{P}\p{Z}\p{Sm}\p{Sc}\p{Sk}])[^\p{Script=Latin}\p{N}])+/gu;
const HYPHENS_ONLY = /^[\p{Pd}\u2212]$/u;
const GROUP = /^[A-Z0-9]+$/;
const MIXED_GROUP = /[A-Z].*\d|\d.*[A-Z]/;
/** "SPRING2027": an ordinary word with a number. */
const WORD_AND_NUMBER = /^[A-Z]{4,}\d{1,4}$/;
/** Matches if a text could contain a code at all: it needs a digit, or a capital letter before a hyphen. */
const MAY_BE_SHAPED = /\p{N}|\p{Lu}\p{Cf}*\s*[\p{Pd}\u2212]/u;
const PLAIN = /^[A-Za-z0-9]+$/;
/** Digits alone are a date or a phone number if there are fewer. */
const DIGITS_LENGTH = 14;

/** A part of a text as it is written, and its letters and digits alone. `shaped`: it looks like a code and like nothing else. */
export type Part = { text: string; letters: string; shaped: boolean };

/** Whether groups of letters and digits look like a code and like no ordinary words, so that no code forbids "Black-Friday" or "iPhone 15 Pro". */
function isShaped(
  groups: readonly string[],
  {
    letters,
    hyphenated,
    isEven,
    text,
  }: { letters: string; hyphenated: boolean; isEven: boolean; text: string },
): boolean {
  if (!GROUP.test(letters)) return false;
  const alone = groups.length === 1;
  if (!/\d/.test(letters))
    return !alone && hyphenated && isEven && groups[0]!.length >= CODE_LENGTH && text === text.toUpperCase();
  if (!/[A-Z]/.test(letters)) return letters.length >= DIGITS_LENGTH && isEven;
  if (alone) return !WORD_AND_NUMBER.test(letters);
  return isEven || groups.filter((group) => MIXED_GROUP.test(group)).length >= (hyphenated ? 1 : 2);
}

/**
 * The words of a text, and words that follow each other as one, because a code may be written with spaces, without its hyphens,
 * in any width and case, and with letters that are not drawn. `shapedOnly` leaves out what does not look like a code, without
 * looking at all of a long text.
 */
export function partsOf(text: string, shapedOnly = false): Part[] {
  if (shapedOnly && !MAY_BE_SHAPED.test(text)) return [];
  const found = [...text.matchAll(WORD)];
  const words = (shapedOnly ? found : found.slice(0, MAX_WORDS)).map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    letters: PLAIN.test(match[0]) ? match[0].toUpperCase() : lettersOfKey(match[0]),
  }));
  const mixed = words.filter(({ letters }) => MIXED_GROUP.test(letters));
  const parts = new Map<string, Part>();
  for (const [first, { start }] of words.entries()) {
    while (mixed[0] && mixed[0].start < start) mixed.shift();
    const mayBeMixed = mixed[0] !== undefined && mixed[0].start < start + SPELLED_LENGTH;
    let letters = "";
    let hyphenated = true;
    let isEven = true;
    const groups: string[] = [];
    for (let n = 0; first + n < words.length && n < CODE_LENGTH_MAX; n++) {
      const word = words[first + n]!;
      if (n > 0)
        hyphenated &&= HYPHENS_ONLY.test(text.slice(words[first + n - 1]!.end, word.start).trim() || "x");
      letters += word.letters;
      if (word.letters !== "") groups.push(word.letters);
      if (letters.length > CODE_LENGTH_MAX) break;
      isEven &&= word.letters === "" || word.letters.length === groups[0]!.length;
      if (shapedOnly && ((word.letters !== "" && !GROUP.test(word.letters)) || !(isEven || mayBeMixed)))
        break;
      if (letters.length < CODE_LENGTH) continue;
      const strong = letters.length >= STRONG_LENGTH && (/\d/.test(letters) || (n > 0 && hyphenated));
      const written = text.slice(start, word.end);
      const shaped = strong && isShaped(groups, { letters, hyphenated, isEven, text: written });
      if (shaped || (!shapedOnly && (n === 0 || strong)))
        parts.set(written, { text: written, letters, shaped });
    }
  }
  return [...parts.values()];
}
