import { sql } from "drizzle-orm";
import { replicaDb } from "@/db/client";
import { beginsTerm, type SearchWord } from "./rules";

/** Words that can have inflections, and how many of each are searched. */
const INFLECTED_WORD = /^[a-z]{3,24}$/;
const MAX_INFLECTIONS = 6;
const MAX_COMPLETIONS = 20;

/**
 * Adds the inflections that occur in the shop, by their common English stem: "transcribing" finds "transcribe". A last
 * word that begins the name of a filter term, such as "cat" of `category:`, gets the words that it begins.
 */
export async function withInflections(words: SearchWord[]): Promise<SearchWord[]> {
  const typed = words
    .filter(({ word, filler }) => !filler && INFLECTED_WORD.test(word))
    .map(({ word }) => word);
  const inflections = typed.length > 0 ? await findInflections(typed) : [];
  const last = words.at(-1)?.word;
  const completions = last && beginsTerm(last) ? await findCompletions(last) : [];
  if (inflections.length + completions.length === 0) return words;
  return words.map((each) => ({
    ...each,
    inflections: [
      ...inflections.filter(({ typed }) => typed === each.word).slice(0, MAX_INFLECTIONS),
      ...(each.word === last ? completions : []),
    ].map(({ word }) => word),
  }));
}

const findInflections = (typed: string[]) =>
  replicaDb.execute<{ typed: string; word: string }>(sql`
  select t.word as typed, v.word from unnest(${sql.param(typed)}::text[]) t(word)
  join search_vocabulary v on v.stem = coalesce((ts_lexize('english_stem', t.word))[1], t.word)
  where v.word <> t.word order by v.rank, v.word`);

const findCompletions = (beginning: string) =>
  replicaDb.execute<{ word: string }>(sql`
  select v.word from search_vocabulary v where v.word ^@ ${beginning}::text and v.word <> ${beginning}::text
  order by v.rank, v.word limit ${MAX_COMPLETIONS}`);
