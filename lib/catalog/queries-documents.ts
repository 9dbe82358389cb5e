import type postgres from "postgres";
import { CANDIDATES, COUNTED_MATCHES } from "./rules";
import type { SearchQuestion, SearchWord, WordQuery } from "./rules-search";

type Piece = postgres.Fragment;
type Sql = postgres.Sql;

/** Text that Postgres takes. */
export const plain = (text: string) => text.replaceAll("\0", "").toWellFormed();

/** What a question finds among the documents, in the pieces that a list is made of (queries-list.ts). */
export type Found = {
  /** the first CANDIDATES in the order of their popularity, as rows of id and name_hits */
  candidates(category?: string): Piece;
  /** every match, for orders by price and conditions on offers, which may not be cut before */
  all(): Piece;
  /** how many, counted up to COUNTED_MATCHES + 1 */
  counted(category?: string): Piece;
  /** offers that the words name come first */
  prefer?: Piece;
};

/** Undefined where the words leave everything. */
export function foundBy(sql: Sql, question: SearchQuestion, words: SearchWord[]): Found | undefined {
  if (question === "everything") return undefined;
  if (question === "nothing") {
    const none = sql`(select 0 as id, 0 as name_hits where false)`;
    return { candidates: () => none, all: () => none, counted: () => sql`(select 0)` };
  }
  const score = scoreOf(sql, question.words);
  const matches = (category?: string) =>
    sql`from product_documents d ${category === undefined ? sql`` : sql`join products dp on dp.id = d.product_id and dp.category = ${plain(category)}`}
      where d.document @@ ${question.all}::tsquery`;
  return {
    candidates: (category) => sql`(
      select d.product_id as id, ${score} as name_hits from (
        select d.product_id, d.head ${matches(category)} order by d.sort_num desc, d.product_id limit ${CANDIDATES}) d)`,
    all: () => sql`(select d.product_id as id, ${score} as name_hits ${matches()})`,
    counted: (category) =>
      sql`(select count(*) from (select ${matches(category)} limit ${COUNTED_MATCHES + 1}) counted)`,
    prefer: preferred(sql, words),
  };
}

/** Names weigh more than taglines, whole words more than beginnings; what occurs in the body alone weighs nothing. */
function scoreOf(sql: Sql, words: WordQuery[]): Piece {
  const points = words.map(
    ({ inName, startsInName, inHead }) =>
      sql`(d.head @@ ${inName}::tsquery)::int + 3 * (d.head @@ ${startsInName}::tsquery)::int + (d.head @@ ${inHead}::tsquery)::int`,
  );
  return points.reduce((sum, each) => sql`${sum} + ${each}`);
}

function preferred(sql: Sql, words: SearchWord[]): Piece | undefined {
  const types = words.flatMap((word) => word.types);
  const days = words.flatMap((word) => word.days ?? []);
  if (types.length + days.length === 0) return undefined;
  return sql`(o.type = any(${types}::text[]) or o.duration_days = any(${days}::int[])) desc nulls last,`;
}
