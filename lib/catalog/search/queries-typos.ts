import { client } from "@/db/client";
import { withCustomPlan } from "@/lib/catalog/listing/queries";
import { anywhereQuery, searchWords, toTextQuery } from "./rules";
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

/** The most words of a keyword that are looked at: this runs for searches that found nothing. */
const PARTS = 8;
const TRIES = 5;

/**
 * What a keyword that finds nothing was meant to be, if a word of it is a typo: one letter in any script, two in long
 * Latin words. Only what finds something is given, else null. Filters play no part.
 */
export async function findCorrection(keyword: string): Promise<string | null> {
  const words = searchWords(keyword).filter((word) => word.types.length === 0 && word.days === null);
  const parts = words.flatMap(({ word }) => textParts(word)).slice(0, PARTS);
  let corrected = searchFold(keyword).trim();
  let changed = false;
  let findsSomething = false;
  for (const [i, part] of parts.entries()) {
    const isLast = i === parts.length - 1;
    if (await occurs(anywhereQuery([part], isLast))) continue;
    const typed = part.kind === "word" ? part.word : part.letters.join("");
    const candidates = (await wordsNear(part)).map((word) => corrected.replace(typed, () => word));
    const chosen = isLast ? await firstFinding(candidates) : candidates[0];
    if (!chosen) return null;
    corrected = chosen;
    changed = true;
    findsSomething = isLast;
  }
  return changed && (findsSomething || (await finds(corrected))) ? corrected : null;
}

async function firstFinding(keywords: string[]): Promise<string | undefined> {
  for (const keyword of keywords.slice(0, TRIES)) if (await finds(keyword)) return keyword;
  return undefined;
}

async function finds(keyword: string): Promise<boolean> {
  const query = toTextQuery(searchWords(keyword));
  return typeof query !== "string" && occurs(query.all);
}

async function occurs(query: string): Promise<boolean> {
  const rows = await withCustomPlan(
    (sql) => sql`select from search_documents d where d.document @@ ${query}::tsquery limit 1`,
  );
  return rows.length > 0;
}

/** What a part of a keyword may have been meant to be, the likeliest first. */
async function wordsNear(part: TextPart): Promise<string[]> {
  if (part.kind === "run") return canRunHaveTypo(part.letters) ? runsNear(part.letters) : [];
  return canHaveTypo(part.word) ? rankCorrections(part.word, await similarWords(part.word)) : [];
}

/** Words of the vocabulary one typo away; for a long word without any, those that share trigrams with it. */
async function similarWords(word: string): Promise<VocabularyWord[]> {
  const sql = client();
  const near = await sql<VocabularyWord[]>`
    select v.word, v.rank from search_vocabulary v where v.word = any(${oneEditVariants(word)}::text[])`;
  if (near.length > 0 || maxTypos(word) < 2) return near;
  return sql<VocabularyWord[]>`
    select v.word, v.rank from search_vocabulary v where v.word % ${word}
    order by similarity(v.word, ${word}) desc, v.word limit 50`;
}

/** Parts of what the most popular products say that are one letter away from a run. */
async function runsNear(letters: string[]): Promise<string[]> {
  const texts = await withCustomPlan(
    (sql) => sql<WeightedText[]>`
      with alike as materialized (
        select d.product_id, d.sort_num from search_documents d where d.document @@ ${oneEditRunQuery(letters)}::tsquery
        order by d.sort_num desc, d.product_id limit 100)
      (select said.text, said.weight from alike join product_texts t on t.product_id = alike.product_id
      cross join lateral (values (t.name, 8), (t.tagline, 3),
        (case when ${letters.length > 2} then t.description end, 1)) said(text, weight)
      where said.text is not null order by alike.sort_num desc, alike.product_id, t.locale desc, said.weight desc)
      union all
      select distinct n.value, 8 from alike join products p on p.id = alike.product_id
      join categories c on c.slug = p.category cross join lateral jsonb_each_text(c.names) n`,
  );
  return rankRunCorrections(letters, texts);
}
