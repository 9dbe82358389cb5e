import { phrase, type QueryToken, tokensOf } from "./rules";
import { textParts } from "./rules-text";

/** Typos: what a word that occurs nowhere may have been meant to be. Pure. */

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz0123456789"];
const SHORTEST_WORD = 4;
const LONGEST_WORD = 24;
/** From this length on a word may hold two typos. */
const TWO_TYPOS = 8;
const LONGEST_RUN = 16;

export const mayBeTypo = (word: string) =>
  word.length >= SHORTEST_WORD && word.length <= LONGEST_WORD && /^[a-z0-9]+$/.test(word);

export const typosAllowed = (word: string) => (word.length >= TWO_TYPOS ? 2 : 1);

/** Every word one typo away: a letter left out, added, changed, or two neighbours swapped. */
export function oneTypoFrom(word: string): string[] {
  const found = new Set<string>();
  for (let i = 0; i <= word.length; i++) {
    const [before, after] = [word.slice(0, i), word.slice(i)];
    found.add(before + after.slice(1));
    found.add(before + after.charAt(1) + after.charAt(0) + after.slice(2));
    for (const letter of LETTERS) found.add(before + letter + after).add(before + letter + after.slice(1));
  }
  found.delete(word);
  return [...found];
}

/** Letters changed, left out, added, and neighbours swapped, between two texts (optimal string alignment). */
export function editDistance(from: readonly string[], to: readonly string[]): number {
  const rows: number[][] = [to.map((_, j) => j).concat(to.length)];
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1;
      let least = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + same);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[from.length]![to.length]!;
}

export type VocabularyWord = { word: string; rank: number };

/** Of these words those that a typed word may have been meant to be, the likeliest first. */
export const likelyWords = (typed: string, words: readonly VocabularyWord[]): string[] =>
  words
    .map((each) => ({ ...each, distance: editDistance([...typed], [...each.word]) }))
    .filter(({ distance }) => distance > 0 && distance <= typosAllowed(typed))
    .sort((a, b) => a.distance - b.distance || a.rank - b.rank || a.word.localeCompare(b.word, "en"))
    .map(({ word }) => word);

export const mayBeTypoRun = (letters: readonly string[]) =>
  letters.length >= 2 && letters.length <= LONGEST_RUN;

/**
 * The query for all that is one letter away from a run of Chinese, Japanese or Korean, as text of the type tsquery. Such
 * runs have no word boundaries, so no vocabulary can hold them. Of a run of two letters one alone must do, in names,
 * taglines, vendors and categories only.
 */
export function oneTypoQuery(letters: readonly string[]): string {
  const weights = letters.length === 2 ? "AB" : "";
  const queries = new Set<string>();
  const add = (tokens: QueryToken[]) => tokens.length > 0 && queries.add(phrase(tokens, weights));
  for (let i = 0; i < letters.length; i++) {
    const [before, after] = [letters.slice(0, i), letters.slice(i + 1)];
    add(withGap(before, after)); // another letter here
    if (i > 0) add(withGap(before, letters.slice(i))); // a letter is missing here
    if (letters.length > 2) add(runTokens([...before, ...after])); // this letter is too much
    if (after.length > 0) add(runTokens([...before, after[0]!, letters[i]!, ...after.slice(1)]));
  }
  return [...queries].join(" | ");
}

const runTokens = (letters: string[]): QueryToken[] =>
  letters.length > 0 ? tokensOf([{ kind: "run", letters }]) : [];

/** Two parts of a run with one letter between them. */
function withGap(before: string[], after: string[]): QueryToken[] {
  const [next, ...rest] = runTokens(after);
  if (!next) return runTokens(before);
  return [...runTokens(before), { ...next, step: before.length > 1 ? 3 : 2 }, ...rest];
}

export type WeighedText = { text: string; weight: number };

/** What a run was meant to be: parts of these texts one letter away from it, the most likely first. */
export function likelyRuns(letters: readonly string[], texts: readonly WeighedText[]): string[] {
  const votes = new Map<string, number>();
  const lengths = [letters.length - 1, letters.length, letters.length + 1].filter((length) => length > 1);
  for (const { text, weight } of texts)
    for (const part of textParts(text)) {
      if (part.kind === "word") continue;
      for (const length of lengths)
        for (let i = 0; i + length <= part.letters.length; i++) {
          const cut = part.letters.slice(i, i + length);
          if (editDistance(letters, cut) !== 1) continue;
          const word = cut.join("");
          votes.set(word, (votes.get(word) ?? 0) + weight * likelihood(letters, cut));
        }
    }
  return [...votes].sort(([a, m], [b, n]) => n - m || b.length - a.length).map(([run]) => run);
}

/** A typo within a word keeps both its ends; a part that does not may be cut out of a longer word. */
function likelihood(letters: readonly string[], cut: readonly string[]): number {
  const sameEnds = letters[0] === cut[0] && letters.at(-1) === cut.at(-1);
  const swapped = [...letters].sort().join("") === [...cut].sort().join("");
  if (sameEnds || swapped) return 6;
  return letters.length === cut.length ? 4 : 1;
}
