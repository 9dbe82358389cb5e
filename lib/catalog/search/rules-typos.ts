import { phraseQuery, type QueryToken, toQueryTokens } from "./rules";
import { segmentWords, textParts } from "./rules-text";

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz0123456789"];
const MIN_WORD_LENGTH = 4;
const MAX_WORD_LENGTH = 24;
/** Words of this length or longer may have two typos. */
const TWO_TYPOS_LENGTH = 8;
const MAX_RUN_LENGTH = 16;

export const canHaveTypo = (word: string) =>
  word.length >= MIN_WORD_LENGTH && word.length <= MAX_WORD_LENGTH && /^[a-z0-9]+$/.test(word);

export const maxTypos = (word: string) => (word.length >= TWO_TYPOS_LENGTH ? 2 : 1);

/** Every word one typo away: a letter omitted, added or changed, or two neighbours swapped. */
export function oneEditVariants(word: string): string[] {
  const variants = new Set<string>();
  for (let i = 0; i <= word.length; i++) {
    const [before, after] = [word.slice(0, i), word.slice(i)];
    variants.add(before + after.slice(1));
    variants.add(before + after.charAt(1) + after.charAt(0) + after.slice(2));
    for (const letter of LETTERS) variants.add(before + letter + after).add(before + letter + after.slice(1));
  }
  variants.delete(word);
  return [...variants];
}

/** The edit distance of two texts, with swaps of neighbouring letters (optimal string alignment). */
export function editDistance(from: readonly string[], to: readonly string[]): number {
  const rows: number[][] = [to.map((_, j) => j).concat(to.length)];
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const substitution = from[i - 1] === to[j - 1] ? 0 : 1;
      let cost = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + substitution);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        cost = Math.min(cost, rows[i - 2]![j - 2]! + 1);
      row.push(cost);
    }
    rows.push(row);
  }
  return rows[from.length]![to.length]!;
}

export type VocabularyWord = { word: string; rank: number };

/** The words within the allowed number of typos of the typed word, the most likely first. */
export const rankCorrections = (typed: string, words: readonly VocabularyWord[]): string[] =>
  words
    .map((each) => ({ ...each, distance: editDistance([...typed], [...each.word]) }))
    .filter(({ distance }) => distance > 0 && distance <= maxTypos(typed))
    .sort((a, b) => a.distance - b.distance || a.rank - b.rank || a.word.localeCompare(b.word, "en"))
    .map(({ word }) => word);

export const canRunHaveTypo = (letters: readonly string[]) =>
  letters.length >= 2 && letters.length <= MAX_RUN_LENGTH;

/** A tsquery for texts one letter away from a run. For a run of two, one letter must match, not in descriptions. */
export function oneEditRunQuery(letters: readonly string[]): string {
  const weights = letters.length === 2 ? "AB" : "";
  const queries = new Set<string>();
  const add = (tokens: QueryToken[]) => tokens.length > 0 && queries.add(phraseQuery(tokens, weights));
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
  letters.length > 0 ? toQueryTokens([{ kind: "run", letters }]) : [];

/** Two parts of a run with one letter between them. */
function withGap(before: string[], after: string[]): QueryToken[] {
  const [next, ...rest] = runTokens(after);
  if (!next) return runTokens(before);
  return [...runTokens(before), { ...next, step: before.length > 1 ? 3 : 2 }, ...rest];
}

export type WeightedText = { text: string; weight: number };

/** Corrections for a run: parts of the texts one letter away from it, the most likely first. */
export function rankRunCorrections(letters: readonly string[], texts: readonly WeightedText[]): string[] {
  const votes = new Map<string, number>();
  const lengths = [letters.length - 1, letters.length, letters.length + 1].filter((length) => length > 1);
  for (const { text, weight } of texts)
    for (const part of textParts(text)) {
      if (part.kind === "word") continue;
      for (const length of lengths)
        for (let i = 0; i + length <= part.letters.length; i++) {
          const candidate = part.letters.slice(i, i + length);
          if (editDistance(letters, candidate) !== 1) continue;
          const word = candidate.join("");
          votes.set(word, (votes.get(word) ?? 0) + weight * likelihood(letters, candidate));
        }
    }
  // Two letters that are not a dictionary word are the end of one word and the beginning of another.
  const isWord = (run: string) => [...run].length > 2 || segmentWords(run).length === 1;
  return [...votes]
    .filter(([run]) => isWord(run))
    .sort(([a, m], [b, n]) => n - m || b.length - a.length)
    .map(([run]) => run);
}

/** The weight of a candidate. A typo usually keeps the first and last letter; other parts may belong to a longer word. */
function likelihood(letters: readonly string[], candidate: readonly string[]): number {
  const sameEnds = letters[0] === candidate[0] && letters.at(-1) === candidate.at(-1);
  const swapped = [...letters].sort().join("") === [...candidate].sort().join("");
  if (sameEnds || swapped) return 6;
  return letters.length === candidate.length ? 4 : 1;
}
