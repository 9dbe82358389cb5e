import { sql } from "drizzle-orm";
import { reportDb } from "@/db/client";
import { NUMBER_PATTERN, TEXT_PATTERN, WORD_PATTERN } from "@/lib/platform/console/cursor";
import { WALKED_ROWS } from "@/lib/platform/console/list";
import {
  type ConsoleListQuery,
  type ListSize,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import { instant } from "@/lib/platform/instant";
import type { EmptySearch, EmptySearchesInput, EmptySearchList } from "@/lib/tracking/insight/contract";

const BY_COUNT: readonly SortKey[] = [
  { value: sql`s.searches`, type: "int", pattern: NUMBER_PATTERN },
  { value: sql`s.content`, type: "text", pattern: TEXT_PATTERN },
  { value: sql`s.locale`, type: "text", pattern: WORD_PATTERN },
];

export const emptySearchListQuery = ({ locale }: EmptySearchesInput): ConsoleListQuery => ({
  from: sql`empty_searches s`,
  alias: sql`s`,
  columns: sql.raw("s.content, s.locale, s.searches, s.last_at"),
  indexed: [],
  filters: locale ? [sql`s.locale = ${locale}`] : [],
  // The table has fewer rows, so that a page always checks all of them.
  walked: WALKED_ROWS,
  sort: BY_COUNT,
  at: sql`s.last_at`,
  db: reportDb,
});

/**
 * Searches of the last weeks that find nothing.
 * @throws ShopError cursor_invalid
 */
export async function listEmptySearches(
  input: EmptySearchesInput,
  size: ListSize = SCREEN,
): Promise<EmptySearchList> {
  const query = emptySearchListQuery(input);
  const rows = await reportDb.execute<EmptySearch & RowMarks>(sql`
    with ${pageSql(query, input, size)}
    select w.content, w.locale, w.searches, w.last_at, ${ROW_MARKS} from page w order by w.place`);
  return toPage(query, input, size, rows, (row) => ({ ...row, last_at: instant(row.last_at) }));
}
