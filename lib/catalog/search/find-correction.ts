import { sql } from "drizzle-orm";
import { replicaDb, searchDb } from "@/db/client";
import {
  anywhereQuery,
  requiredWords,
  type SearchWord,
  searchWords,
  type TextQuery,
  toTextQuery,
} from "./rules";
import { searchFold, type TextPart, textParts } from "./rules-text";
import {
  canHaveTypo,
  canRunHaveTypo,
  maxTypos,
  oneEditRunQuery,
  oneEditVariants,
  rankCorrections,
  rankRunCorrections,
  type VocabularyWord,
  type WeightedText,
} from "./rules-typos";

/** Words of a keyword that are checked for typos; the check runs only for searches without results. */
const MAX_PARTS = 8;
const MAX_TRIES = 5;

export type Correction = {
  keyword: string;
  /** a Chinese or Japanese word was changed: it has no letters too many or too few that would show a typo */
  isGuess: boolean;
};

/** Corrects typos: one letter in any script, two in long Latin words. Null unless the corrected keyword has results. */
export async function findCorrection(
  keyword: string,
  words: readonly SearchWord[],
): Promise<Correction | null> {
  const parts = requiredWords(words)
    .filter(({ types, days, inflections }) => types.length === 0 && days === null && !inflections?.length)
    .flatMap(({ word }) => textParts(word))
    .slice(0, MAX_PARTS);
  let corrected = searchFold(keyword).trim();
  let changed = false;
  let isGuess = false;
  let isVerified = false;
  for (const [i, part] of parts.entries()) {
    const isLast = i === parts.length - 1;
    if (await hasMatch(anywhereQuery([part], isLast))) continue;
    const typed = part.kind === "word" ? part.word : part.letters.join("");
    const candidates = (await similarTerms(part)).map((word) => corrected.replace(typed, () => word));
    const chosen = isLast ? await findFirstMatch(candidates) : candidates[0];
    if (!chosen) return null;
    corrected = chosen;
    changed = true;
    isGuess ||= part.kind === "run";
    isVerified = isLast;
  }
  return changed && (isVerified || (await findsProducts(corrected))) ? { keyword: corrected, isGuess } : null;
}

async function findFirstMatch(keywords: string[]): Promise<string | undefined> {
  for (const keyword of keywords.slice(0, MAX_TRIES)) if (await findsProducts(keyword)) return keyword;
  return undefined;
}

const findsProducts = (keyword: string): Promise<boolean> => hasProducts(toTextQuery(searchWords(keyword)));

/** Whether a product matches a query, without filters. */
export const hasProducts = async (query: TextQuery): Promise<boolean> =>
  typeof query === "string" ? query === "everything" : hasMatch(query.all);

/** Whether a product matches. Without `materialized`, Postgres expects the first match soon and reads the whole table. */
async function hasMatch(query: string): Promise<boolean> {
  const rows = await searchDb.execute(sql`
      with matches as materialized (select from search_documents d where d.document @@ ${query}::tsquery)
      select from matches limit 1`);
  return rows.length > 0;
}

/** Corrections for a part of a keyword, the most likely first. */
async function similarTerms(part: TextPart): Promise<string[]> {
  if (part.kind === "run") return canRunHaveTypo(part.letters) ? similarRuns(part.letters) : [];
  return canHaveTypo(part.word) ? rankCorrections(part.word, await similarWords(part.word)) : [];
}

/** Words of the vocabulary one typo away; for a long word without such words, those with similar trigrams. */
async function similarWords(word: string): Promise<VocabularyWord[]> {
  const oneEdit = await replicaDb.execute<VocabularyWord>(sql`
    select v.word, v.rank from search_vocabulary v where v.word = any(${sql.param(oneEditVariants(word))}::text[])`);
  if (oneEdit.length > 0 || maxTypos(word) < 2) return oneEdit;
  return replicaDb.execute<VocabularyWord>(sql`
    select v.word, v.rank from search_vocabulary v where v.word % ${word}
    order by similarity(v.word, ${word}) desc, v.word limit 50`);
}

/** Runs one letter away from the typed run, from the texts and search terms of the most popular products that match. */
async function similarRuns(letters: string[]): Promise<string[]> {
  const texts = await searchDb.execute<WeightedText>(sql`
      with alike as materialized (
        select d.product_id, d.sort_num from search_documents d where d.document @@ ${oneEditRunQuery(letters)}::tsquery
        order by d.sort_num desc, d.product_id limit 100)
      (select source.text, source.weight from alike join product_texts t on t.product_id = alike.product_id
      cross join lateral (values (t.name, 8), (t.tagline, 3),
        (case when ${letters.length > 2} then t.description end, 1)) source(text, weight)
      where source.text is not null order by alike.sort_num desc, alike.product_id, t.locale desc, source.weight desc)
      union all
      select distinct n.value, 8 from alike join products p on p.id = alike.product_id
      join categories c on c.slug = p.category cross join lateral jsonb_each_text(c.names) n
      union all
      select term, 5 from alike join products p on p.id = alike.product_id
      cross join lateral jsonb_each(p.search_terms) l cross join lateral jsonb_array_elements_text(l.value) term`);
  return rankRunCorrections(letters, texts);
}
