import { phrase, type QueryToken, tokensOf } from "./rules";
import { textParts } from "./rules-text";

/** Slips of the finger: what else a word that occurs nowhere may have been meant to be. Pure. */

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz0123456789"];
const SHORTEST_WORD = 4;
const LONGEST_WORD = 24;
/** From this length on two slips are taken for one word. */
const TWO_SLIPS = 8;
const LONGEST_RUN = 16;

export const mayBeSlip = (word: string) =>
  word.length >= SHORTEST_WORD && word.length <= LONGEST_WORD && /^[a-z0-9]+$/.test(word);

/** How many slips a word of this length may hold. */
export const slipsAllowed = (word: string) => (word.length >= TWO_SLIPS ? 2 : 1);

/** Every word that is one letter away: one left out, added, changed, or two neighbours exchanged. */
export function oneSlipFrom(word: string): string[] {
  const found = new Set<string>();
  for (let i = 0; i <= word.length; i++) {
    const [before, after] = [word.slice(0, i), word.slice(i)];
    if (after) found.add(before + after.slice(1));
    if (after.length > 1) found.add(before + after.charAt(1) + after.charAt(0) + after.slice(2));
    for (const letter of LETTERS) {
      found.add(before + letter + after);
      if (after) found.add(before + letter + after.slice(1));
    }
  }
  found.delete(word);
  return [...found];
}

/** Letters changed, left out, added, and neighbours exchanged, between two texts (optimal string alignment). */
export function slipsBetween(from: readonly string[], to: readonly string[]): number {
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

export const isSlippedRun = (letters: readonly string[]) =>
  letters.length >= 2 && letters.length <= LONGEST_RUN;

/**
 * The question for all that is one letter away from a run of Chinese, Japanese or Korean, as text of the type tsquery.
 * Of two letters one alone must do, so it is looked for in names, taglines and categories only.
 */
export function oneSlipQuery(letters: readonly string[]): string {
  const weights = letters.length === 2 ? "AB" : "";
  const asked = new Set<string>();
  const ask = (tokens: QueryToken[]) => tokens.length > 0 && asked.add(phrase(tokens, weights));
  for (let i = 0; i < letters.length; i++) {
    const [before, after] = [letters.slice(0, i), letters.slice(i + 1)];
    ask(withGap(before, after)); // another letter here
    if (i > 0) ask(withGap(before, letters.slice(i))); // a letter was left out here
    if (letters.length > 2) ask(runTokens([...before, ...after])); // this letter is too much
    if (after.length > 0) ask(runTokens([...before, after[0]!, letters[i]!, ...after.slice(1)]));
  }
  return [...asked].join(" | ");
}

const runTokens = (letters: string[]): QueryToken[] =>
  letters.length > 0 ? tokensOf([{ kind: "run", letters }]) : [];

/** Two stretches with one letter between them. */
function withGap(before: string[], after: string[]): QueryToken[] {
  const [next, ...rest] = runTokens(after);
  if (!next) return runTokens(before);
  return [...runTokens(before), { ...next, step: before.length > 1 ? 3 : 2 }, ...rest];
}

export type WeighedText = { text: string; weight: number };

/** What a run was meant to be: stretches of these texts one letter away from it, the most likely first. */
export function likelyRuns(letters: readonly string[], texts: readonly WeighedText[]): string[] {
  const votes = new Map<string, number>();
  const lengths = [letters.length - 1, letters.length, letters.length + 1].filter((length) => length > 1);
  for (const { text, weight } of texts)
    for (const part of textParts(text)) {
      if (part.kind === "word") continue;
      for (const length of lengths)
        for (let i = 0; i + length <= part.letters.length; i++) {
          const stretch = part.letters.slice(i, i + length);
          if (slipsBetween(letters, stretch) !== 1) continue;
          const word = stretch.join("");
          votes.set(word, (votes.get(word) ?? 0) + weight * likelihood(letters, stretch));
        }
    }
  return [...votes].sort(([a, m], [b, n]) => n - m || b.length - a.length).map(([stretch]) => stretch);
}

/** A slip within a word keeps both its ends; a stretch that does not may be cut out of a longer word. */
function likelihood(letters: readonly string[], stretch: readonly string[]): number {
  const sameEnds = letters[0] === stretch[0] && letters.at(-1) === stretch.at(-1);
  const exchanged = [...letters].sort().join("") === [...stretch].sort().join("");
  if (sameEnds || exchanged) return 6;
  return letters.length === stretch.length ? 4 : 1;
}
