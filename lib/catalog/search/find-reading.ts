import type { SearchResults } from "./contract";
import { findCorrection, hasProducts } from "./find-correction";
import {
  isCertainSegmentation,
  requiredWords,
  type SearchWord,
  searchWords,
  segmentSearchWords,
  type TextQuery,
  toAnyQuery,
  toTextQuery,
} from "./rules";
import { withInflections } from "./with-inflections";

type Reading = { words: SearchWord[]; query: TextQuery } & Pick<SearchResults, "match" | "corrected">;

/**
 * How a keyword without matches can be read: Chinese and Japanese separated into words, which is not a guess; with
 * corrected typos, where a changed Chinese or Japanese word is a guess; or as products that have only some of the
 * words.
 */
export async function findReading(keyword: string, words: SearchWord[]): Promise<Reading | null> {
  const segmentations = segmentSearchWords(words);
  const certain = await findSegmentation(segmentations.filter(isCertainSegmentation));
  if (certain) return { ...certain, match: "exact", corrected: null };
  const correction = await findCorrection(keyword, words);
  if (correction) {
    const corrected = await withInflections(searchWords(correction.keyword));
    return {
      words: corrected,
      query: toTextQuery(corrected),
      match: correction.isGuess ? "closest" : "corrected",
      corrected: correction.keyword,
    };
  }
  const doubtful = await findSegmentation(segmentations.filter((each) => !isCertainSegmentation(each)));
  if (doubtful) return { ...doubtful, match: "closest", corrected: null };
  const separated = segmentations.at(-1) ?? words;
  const query = toAnyQuery(separated);
  return query && { words: separated, query, match: "closest", corrected: null };
}

async function findSegmentation(segmentations: SearchWord[][]) {
  for (const words of segmentations) {
    const query = toTextQuery(words);
    const hasLongWord = requiredWords(words).some(({ word }) => [...word].length > 1);
    if (hasLongWord && (await hasProducts(query))) return { words, query };
  }
  return null;
}
