import { client } from "@/db/client";
import { anywhere, searchQuestion, searchWords } from "./rules";
import { searchFold, type TextPart, textParts } from "./rules-text";
import {
  isSlippedRun,
  likelyRuns,
  mayBeSlip,
  oneSlipFrom,
  oneSlipQuery,
  slipsAllowed,
  slipsBetween,
  type WeighedText,
} from "./rules-typos";

/** No more words of a keyword are looked at: this is the way of searches that found nothing. */
const PARTS = 8;
const TRIES = 5;

/**
 * What a keyword that finds nothing was meant to be, if a word of it is a slip of the finger: one letter in any
 * script, two in long Latin words. Only what does find something is given; else null. Filters play no part.
 */
export async function findCorrection(keyword: string): Promise<string | null> {
  const words = searchWords(keyword).filter((word) => word.types.length === 0 && word.days === null);
  const parts = words.flatMap(({ word }) => textParts(word)).slice(0, PARTS);
  let corrected = searchFold(keyword).trim();
  let changed = false;
  let proved = false;
  for (const [i, part] of parts.entries()) {
    const isLast = i === parts.length - 1;
    if (await occurs(anywhere([part], isLast))) continue;
    const whole = (each: string) => corrected.replace(textOf(part), () => each);
    const choose = async (words: string[]) =>
      isLast ? firstFinding(words.map(whole)) : words[0] && whole(words[0]);
    const tried = (await choose(await nearTo(part))) || (await choose(await farFrom(part)));
    if (!tried) return null;
    corrected = tried;
    changed = true;
    proved = isLast;
  }
  return changed && (proved || (await finds(corrected))) ? corrected : null;
}

const textOf = (part: TextPart) => (part.kind === "word" ? part.word : part.letters.join(""));

async function firstFinding(keywords: string[]): Promise<string | null> {
  for (const keyword of keywords.slice(0, TRIES)) if (await finds(keyword)) return keyword;
  return null;
}

async function finds(keyword: string): Promise<boolean> {
  const question = searchQuestion(searchWords(keyword));
  return typeof question !== "string" && occurs(question.all);
}

async function occurs(query: string): Promise<boolean> {
  const [row] = await client()<{ found: boolean }[]>`
    select exists (select from search_candidates(${query}::tsquery, null, null, null, false, null, null, null, 1, null)) as found`;
  return row!.found;
}

/** One slip away, the likeliest first. */
async function nearTo(part: TextPart): Promise<string[]> {
  if (part.kind === "run") return isSlippedRun(part.letters) ? alikeRuns(part.letters) : [];
  if (!mayBeSlip(part.word)) return [];
  const rows = await client()<WordRow[]>`
    select w.word, w.rank from search_words w where w.word = any(${oneSlipFrom(part.word)}::text[])`;
  return likeliest(part.word, rows, 1);
}

/** Long words that are two slips away, by their trigrams: that costs more than the search, so it is the last resort. */
async function farFrom(part: TextPart): Promise<string[]> {
  if (part.kind === "run" || !mayBeSlip(part.word) || slipsAllowed(part.word) < 2) return [];
  const rows = await client()<WordRow[]>`
    select w.word, w.rank from search_words w where w.word % ${part.word}
    order by similarity(w.word, ${part.word}) desc, w.word limit 50`;
  return likeliest(part.word, rows, 2);
}

type WordRow = { word: string; rank: number };

function likeliest(word: string, rows: readonly WordRow[], slips: number): string[] {
  return rows
    .filter((row) => slipsBetween([...word], [...row.word]) === slips)
    .sort((a, b) => a.rank - b.rank || a.word.localeCompare(b.word, "en"))
    .map((row) => row.word);
}

/** Stretches of what the most wanted products say that are one letter away from a run. */
async function alikeRuns(letters: string[]): Promise<string[]> {
  const texts = await client()<WeighedText[]>`
    with alike as materialized (
      select h.product_id, h.sort_num from search_candidates(${oneSlipQuery(letters)}::tsquery, null, null, null, false,
        null, null, null, 100, null) h)
    (select said.text, said.weight from alike join product_texts t on t.product_id = alike.product_id
    cross join lateral (values (t.name, 8), (t.tagline, 3),
      (case when ${letters.length > 2} then t.description end, 1)) said(text, weight)
    where said.text is not null order by alike.sort_num desc, alike.product_id, t.locale desc, said.weight desc)
    union all
    select distinct n.value, 8 from alike join products p on p.id = alike.product_id
    join categories c on c.slug = p.category cross join lateral jsonb_each_text(c.names) n`;
  return likelyRuns(letters, texts);
}
