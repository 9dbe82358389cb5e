import { type SQL, sql } from "drizzle-orm";
import type { ListSource } from "@/lib/catalog/listing/list-cards";
import {
  bestPlanSql,
  type ListWindow,
  listingPageSql,
  orderSql,
  type PlanFilter,
  planConditions,
  sellerCondition,
  stripInvalidCharacters,
} from "@/lib/catalog/listing/listing-index-sql";
import { CANDIDATES, LISTED_MATCHES } from "@/lib/catalog/rules";
import { documentTerm, type TextQuery } from "./rules";

/** The number of matches up to which a search sorted by price reads all of them. */
const SORTED_MATCHES = 10_000;

/** The matches of a query: ranked among the most popular CANDIDATES, or all matches when sorted by price. */
export function searchSource(query: TextQuery, selection: PlanFilter & ListWindow): ListSource {
  if (typeof query === "string")
    return { page: listingPageSql({ productCondition: sql`and false` }, selection), count: sql`0` };
  if (selection.order !== "recommend") return priceSource(query.all, selection);
  const { limit, offset = 0 } = selection;
  return {
    candidates: candidatesSql(query, selection),
    page: sql`(select o.*, row_number() over (order by s.score desc, o.sort_num desc, o.product_id) as place
      from (select c.product_id as id, c.score from candidates c order by c.score desc, c.sort_num desc, c.product_id
        limit ${limit} offset ${offset}) s
      cross join lateral ${bestPlanSql(selection)} o)`,
    count: sql`(select count(*)::int from candidates)`,
  };
}

/**
 * All matches in the order of price. Up to SORTED_MATCHES are read and sorted; for more, the index on prices is read and
 * each product compared with the words. Postgres cannot make this choice: it estimates at least 0.5 % of all products
 * for any prefix, and would compare a million products with a word that occurs once.
 */
function priceSource(all: string, selection: PlanFilter & ListWindow): ListSource {
  const { order, limit, offset = 0 } = selection;
  const words = sql`${documentQuery(all, selection)}::tsquery`;
  const isFew = sql`(select count(*) from candidates) <= ${SORTED_MATCHES}`;
  const listed = sql`and not ${isFew} and exists (select from search_documents d
    where d.product_id = o.product_id and d.document @@ ${words})`;
  return {
    candidates: sql`(select d.product_id from search_documents d where d.document @@ ${words}
      ${sellerCondition(selection, sql`d`)} limit ${SORTED_MATCHES + 1})`,
    page: sql`((select o.*, row_number() over (order by ${orderSql(order)}) as place
      from (select c.product_id as id from candidates c where ${isFew}) s
      cross join lateral ${bestPlanSql(selection)} o
      order by ${orderSql(order)} limit ${Math.max(0, Math.min(limit, LISTED_MATCHES - offset))} offset ${offset})
      union all ${listingPageSql({ ...selection, productCondition: listed }, selection)})`,
    count: sql`(select count(*)::int from (
      select from search_documents d where ${matchCondition(all, selection)} limit ${CANDIDATES}) counted)`,
  };
}

/**
 * The most popular matches. A word scores 1 in the head, 1 more in name, tagline, vendor or category, because search terms
 * also hold what a product is like, 3 more where it begins a word of the name, 1 more as a whole; a general word scores 1 in the head, all words as a phrase 2. Where one word is enough, each word that occurs scores 8.
 */
export function candidatesSql(
  { all, words, general, phrase, any }: Exclude<TextQuery, string>,
  filter: PlanFilter,
) {
  const scores = [
    ...words.map(
      ({ inHead, inTitle, startsInName, inName }) => sql`(d.document @@ ${inHead}::tsquery)::int
        + (d.document @@ ${inTitle}::tsquery)::int
        + 3 * (d.document @@ ${startsInName}::tsquery)::int + (d.document @@ ${inName}::tsquery)::int`,
    ),
    ...general.map((inHead) => sql`(d.document @@ ${inHead}::tsquery)::int`),
    ...(phrase ? [sql`2 * (d.document @@ ${phrase}::tsquery)::int`] : []),
    ...(any ? words.map(({ anywhere }) => sql`8 * (d.document @@ ${anywhere}::tsquery)::int`) : []),
  ];
  const score = scores.reduce((sum, wordScore) => sql`${sum} + ${wordScore}`, sql`0`);
  return sql`(
    select d.product_id, d.sort_num, ${score} as score
    from search_documents d where ${matchCondition(all, filter)}
    order by d.sort_num desc, d.product_id limit ${CANDIDATES})`;
}

/** The words of a document `d` match, and a plan matches the filter. `offset 0`: plans are checked after the words. */
function matchCondition(all: string, filter: PlanFilter): SQL {
  const { inStock, minPriceCents: from, maxPriceCents: to, maxPerDayCents: perDayTo } = filter;
  const words = sql`d.document @@ ${documentQuery(all, filter)}::tsquery ${sellerCondition(filter, sql`d`)}`;
  if (!inStock && from === undefined && to === undefined && perDayTo === undefined) return words;
  return sql`${words} and exists (select from listing_index o
    where o.product_id = d.product_id ${planConditions(filter, sql`o`)} offset 0)`;
}

/** The text query with category and type, which are terms of the document, so that one index covers them all. */
const documentQuery = (all: string, { category, type }: PlanFilter): string =>
  [
    `(${all})`,
    ...(category === undefined ? [] : [documentTerm("category", stripInvalidCharacters(category))]),
    ...(type === undefined ? [] : [documentTerm("type", type)]),
  ].join(" & ");
