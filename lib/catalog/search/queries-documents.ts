import type postgres from "postgres";
import { bestOffer, offerPage, plain, type Wanted, type Window } from "@/lib/catalog/listing/queries-index";
import { CANDIDATES, COUNTED_MATCHES } from "@/lib/catalog/rules";
import type { SearchQuestion, SearchWord, WordQuery } from "./rules";

type Piece = postgres.Fragment;
type Sql = postgres.Sql;

/** What a question finds among the documents, in the pieces that a list is made of (queries-list.ts). */
export type Found = {
  /** Rows of product_id, sort_num and score (how well the words fit): the first CANDIDATES, the most wanted first. */
  hits(wanted: Wanted): Piece;
  /** A page of offers, each with its `place`: of `hits` the best ranked, or of every match in the order of a price. */
  page(selection: Wanted & Window): Piece;
  count(selection: Wanted & Window): Piece;
  /** kinds of pass that the words name */
  named?: Wanted["named"];
};

/** Undefined where the words leave everything. */
export function foundBy(sql: Sql, question: SearchQuestion, words: SearchWord[]): Found | undefined {
  if (question === "everything") return undefined;
  if (question === "nothing") return nothing(sql);
  // Documents bear a mark for each kind of pass: the index passes by what the filter would refuse.
  const asked = (wanted: Wanted) =>
    sql`${wanted.type ? `(${question.all}) & '~${wanted.type}'` : question.all}::tsquery, ${question.beginning}::text, ${filters(sql, wanted)}`;
  const fits = ranking(question.words);
  return {
    hits: (wanted) =>
      sql`(select * from search_candidates(${asked(wanted)}, ${CANDIDATES}, ${fits}::text[]))`,
    named: namedBy(words),
    page: (selection) => {
      const { order, limit, offset = 0, named } = selection;
      if (order !== "recommend")
        return sql`(select o.*, o.ordinality as place from search_priced(${asked(selection)}, ${order},
          ${named?.types ?? null}::text[], ${named?.days ?? null}::int[], ${limit}, ${offset}) with ordinality o)`;
      // Not as parameters: Postgres would plan the statement anew each time, which takes 2 ms (docs/performance.md#prepared-statements).
      return sql`(select o.*, row_number() over (order by s.score desc, o.sort_num desc, o.product_id) as place
        from (select h.product_id as id, h.score from hits h order by h.score desc, h.sort_num desc, h.product_id
          limit (select ${limit}::int) offset (select ${offset}::int)) s
        cross join lateral ${bestOffer(sql, selection)} o)`;
    },
    count: (selection) =>
      selection.order === "recommend"
        ? sql`(select count(*)::int from hits)`
        : sql`(select count(*)::int from search_candidates(${asked(selection)}, ${COUNTED_MATCHES + 1}, null))`,
  };
}

function nothing(sql: Sql): Found {
  return {
    hits: () => sql`(select 0 as product_id, 0 as sort_num, 0 as score where false)`,
    page: (selection) => offerPage(sql, { products: sql`and false` }, selection),
    count: () => sql`0`,
  };
}

/** The filters as arguments of the search's functions. */
function filters(sql: Sql, { category, type, inStock, from, to, perDayTo }: Wanted): Piece {
  return sql`${category === undefined ? null : plain(category)}::text, ${type ?? null}::text, ${inStock ?? false}::boolean,
    ${from ?? null}::int, ${to ?? null}::int, ${perDayTo ?? null}::int`;
}

/**
 * Names weigh more than taglines, whole words more than beginnings; what occurs in the body alone weighs nothing. Three
 * questions for each word, each narrower than the one before.
 */
const ranking = (words: WordQuery[]) =>
  words.flatMap(({ inName, startsInName, inHead }) => [inHead, startsInName, inName]);

function namedBy(words: SearchWord[]): Wanted["named"] {
  const types = words.flatMap((word) => word.types);
  const days = words.flatMap((word) => word.days ?? []);
  return types.length + days.length > 0 ? { types, days } : undefined;
}
