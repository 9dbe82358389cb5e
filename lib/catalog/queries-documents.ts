import type postgres from "postgres";
import { CANDIDATES } from "./rules";
import type { SearchQuestion, SearchWord, WordQuery } from "./rules-search";

type Piece = postgres.Fragment;
type Sql = postgres.Sql;

/** Text that Postgres takes. */
export const plain = (text: string) => text.replaceAll("\0", "").toWellFormed();

/** What a question finds among the documents, in the pieces that a list is made of (queries-list.ts). */
export type Found = {
  /**
   * Rows of product_id, sort_num and head: the first CANDIDATES in the order of their popularity; `whole` for every match, as
   * orders by price and conditions on offers need it.
   */
  hits(cut: { category?: string } | "whole"): Piece;
  /** How well the words fit a row `h` of those. */
  score: Piece;
  /** offers that the words name come first */
  prefer?: Piece;
};

/** Undefined where the words leave everything. */
export function foundBy(sql: Sql, question: SearchQuestion, words: SearchWord[]): Found | undefined {
  if (question === "everything") return undefined;
  if (question === "nothing") {
    const none = sql`(select 0 as product_id, 0 as sort_num, ''::tsvector as head where false)`;
    return { hits: () => none, score: sql`0` };
  }
  return {
    hits: (cut) =>
      cut === "whole"
        ? sql`(select d.product_id, d.sort_num, d.head from product_documents d where d.document @@ ${question.all}::tsquery)`
        : sql`(select * from search_candidates(${question.all}::tsquery, ${cut.category === undefined ? null : plain(cut.category)}, ${CANDIDATES}))`,
    score: scoreOf(sql, question.words),
    prefer: preferred(sql, words),
  };
}

/** Names weigh more than taglines, whole words more than beginnings; what occurs in the body alone weighs nothing. */
function scoreOf(sql: Sql, words: WordQuery[]): Piece {
  const points = words.map(
    ({ inName, startsInName, inHead }) =>
      sql`(h.head @@ ${inName}::tsquery)::int + 3 * (h.head @@ ${startsInName}::tsquery)::int + (h.head @@ ${inHead}::tsquery)::int`,
  );
  return points.reduce((sum, each) => sql`${sum} + ${each}`);
}

function preferred(sql: Sql, words: SearchWord[]): Piece | undefined {
  const types = words.flatMap((word) => word.types);
  const days = words.flatMap((word) => word.days ?? []);
  if (types.length + days.length === 0) return undefined;
  return sql`(o.type = any(${types}::text[]) or o.duration_days = any(${days}::int[])) desc nulls last,`;
}
