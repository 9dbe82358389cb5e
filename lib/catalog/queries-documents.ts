import type postgres from "postgres";
import { bestOffer, offerPage, plain, type Wanted, type Window } from "./queries-offers";
import { CANDIDATES, COUNTED_MATCHES } from "./rules";
import type { SearchQuestion, SearchWord, WordQuery } from "./rules-search";

type Piece = postgres.Fragment;
type Sql = postgres.Sql;

/** What a question finds among the documents, in the pieces that a list is made of (queries-list.ts). */
export type Found = {
  /** Rows of product_id, sort_num and head: the first CANDIDATES in the order of their popularity. */
  hits(wanted: Wanted): Piece;
  /** How well the words fit a row `h` of those. */
  score: Piece;
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
  const score = scoreOf(sql, question.words);
  const asked = (wanted: Wanted) =>
    sql`${question.all}::tsquery, ${question.beginning}::text, ${filters(sql, wanted)}`;
  const hits = (wanted: Wanted, most = CANDIDATES) =>
    sql`(select * from search_candidates(${asked(wanted)}, ${most}))`;
  return {
    hits,
    score,
    named: namedBy(words),
    page: (selection) => {
      const { order, limit, offset = 0, named } = selection;
      if (order !== "recommend")
        return sql`(select o.*, o.ordinality as place from search_priced(${asked(selection)}, ${order},
          ${named?.types ?? null}::text[], ${named?.days ?? null}::int[], ${limit}, ${offset}) with ordinality o)`;
      return sql`(select o.*, row_number() over (order by s.score desc, o.sort_num desc, o.product_id) as place
        from (select h.product_id as id, ${score} as score from hits h
          order by score desc, h.sort_num desc, h.product_id limit ${limit} offset ${offset}) s
        cross join lateral ${bestOffer(sql, selection)} o)`;
    },
    count: (selection) =>
      selection.order === "recommend"
        ? sql`(select count(*)::int from hits)`
        : sql`(select count(*)::int from ${hits(selection, COUNTED_MATCHES + 1)} h)`,
  };
}

function nothing(sql: Sql): Found {
  return {
    hits: () => sql`(select 0 as product_id, 0 as sort_num, ''::tsvector as head where false)`,
    score: sql`0`,
    page: (selection) => offerPage(sql, { products: sql`and false` }, selection),
    count: () => sql`0`,
  };
}

/** The filters as arguments of the search's functions. */
function filters(sql: Sql, { category, type, inStock, from, to, perDayTo }: Wanted): Piece {
  return sql`${category === undefined ? null : plain(category)}::text, ${type ?? null}::text, ${inStock ?? false}::boolean,
    ${from ?? null}::int, ${to ?? null}::int, ${perDayTo ?? null}::int`;
}

/** Names weigh more than taglines, whole words more than beginnings; what occurs in the body alone weighs nothing. */
function scoreOf(sql: Sql, words: WordQuery[]): Piece {
  const points = words.map(
    ({ inName, startsInName, inHead }) =>
      sql`(h.head @@ ${inName}::tsquery)::int + 3 * (h.head @@ ${startsInName}::tsquery)::int + (h.head @@ ${inHead}::tsquery)::int`,
  );
  return points.reduce((sum, each) => sql`${sum} + ${each}`);
}

function namedBy(words: SearchWord[]): Wanted["named"] {
  const types = words.flatMap((word) => word.types);
  const days = words.flatMap((word) => word.days ?? []);
  return types.length + days.length > 0 ? { types, days } : undefined;
}
