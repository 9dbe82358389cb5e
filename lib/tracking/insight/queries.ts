import { type SQL, sql } from "drizzle-orm";
import { db, reportDb } from "@/db/client";
import { hasCode } from "@/lib/delivery/code-text/queries";
import { TEXT_PATTERN } from "@/lib/platform/console/cursor";
import { WALKED_ROWS } from "@/lib/platform/console/list";
import {
  type ListPlan,
  type ListSize,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  rowCount,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import { isLocale, type Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import type {
  EmptySearch,
  EmptySearchesInput,
  EmptySearchList,
  SourceDays,
  SourceDaysInput,
  SourceFigures,
  SourceList,
  SourcesInput,
  SourcesPageInput,
} from "@/lib/tracking/insight/contract";
import { MIN_SEARCHES, SEARCH_DAYS } from "@/lib/tracking/insight/rules";
import type { SourceKind } from "@/lib/tracking/rules";

const NUMBER = /^\d{1,10}$/;
const WORD = /^\w{1,20}$/;
const FIGURES = ["visits", "product_views", "carts", "orders", "paid"] as const;
type Figures = Record<(typeof FIGURES)[number], number>;
const figureColumns = (table: string): SQL =>
  sql.raw(FIGURES.map((figure) => `${table}.${figure}`).join(", "));

const BY_VISITS: readonly SortKey[] = [
  { value: sql`f.visits`, type: "int", pattern: NUMBER },
  { value: sql`f.kind`, type: "text", pattern: WORD },
  { value: sql`f.source`, type: "text", pattern: TEXT_PATTERN },
];

export const planSources = ({ days }: SourcesInput): ListPlan => ({
  from: sql`source_figures f`,
  alias: sql`f`,
  columns: sql`f.kind, f.source, ${figureColumns("f")}`,
  indexed: [sql`f.days = ${rowCount(days)}`, sql`f.kind <> 'all'`],
  filters: [],
  walked: null,
  sort: BY_VISITS,
  at: sql`shop_now()`,
  db: reportDb,
});

/**
 * The funnel of each source in the last days, and of all together, from the sums that a job keeps.
 * @throws ShopError cursor_invalid
 */
export async function listSources(input: SourcesInput, size: ListSize = SCREEN): Promise<SourceList> {
  const plan = planSources(input);
  const rows = await reportDb.execute<SourceFigures & RowMarks>(sql`
    with ${pageSql(plan, input, size)}
    select w.kind, case when w.kind = 'named' then w.source end as source, ${figureColumns("w")}, ${ROW_MARKS}
    from page w order by w.place`);
  const page = await toPage(plan, input, size, rows, (row): SourceFigures => row);
  const [all] = await reportDb.execute<Figures>(sql`
    select ${figureColumns("f")} from source_figures f where f.days = ${rowCount(input.days)} and f.kind = 'all'`);
  return { ...page, all: all ?? { visits: 0, product_views: 0, carts: 0, orders: 0, paid: 0 } };
}

/** The funnel of all sources together, or of one, by day (UTC); the running day comes last. */
export async function getSourceDays({ days, kind, came_from }: SourceDaysInput): Promise<SourceDays> {
  const shown: SourceKind = came_from === undefined ? kind : "named";
  const rows = await reportDb.execute<{ day: string } & Figures>(sql`
    select to_char(g.day, 'YYYY-MM-DD') as day, ${sql.raw(FIGURES.map((figure) => `coalesce(f.${figure}, 0) as ${figure}`).join(", "))}
    from (select d::date as day from generate_series(((shop_now() at time zone 'UTC')::date - ${days - 1}::int)::timestamp,
      (shop_now() at time zone 'UTC')::date::timestamp, interval '1 day') d) g
    left join source_figures_daily f on f.kind = ${shown} and f.source = ${came_from ?? ""} and f.day = g.day order by g.day`);
  return { kind: shown, source: came_from ?? null, days: [...rows] };
}

/**
 * What the page of sources shows: the list, and the days of the chosen source.
 * @throws ShopError cursor_invalid
 */
export async function getSources({ kind, came_from, ...input }: SourcesPageInput) {
  return {
    days: input.days,
    sources: await listSources(input),
    chosen: await getSourceDays({ days: input.days, kind, came_from }),
  };
}

const BY_COUNT: readonly SortKey[] = [
  { value: sql`s.searches`, type: "int", pattern: NUMBER },
  { value: sql`s.content`, type: "text", pattern: TEXT_PATTERN },
  { value: sql`s.locale`, type: "text", pattern: WORD },
];

export const planEmptySearches = ({ locale }: EmptySearchesInput): ListPlan => ({
  from: sql`empty_searches s`,
  alias: sql`s`,
  columns: sql.raw("s.content, s.locale, s.searches, s.last_at"),
  indexed: [],
  filters: locale ? [sql`s.locale = ${locale}`] : [],
  // The table is shorter than this, so that a page looks at all of it.
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
  const plan = planEmptySearches(input);
  const rows = await reportDb.execute<EmptySearch & RowMarks>(sql`
    with ${pageSql(plan, input, size)}
    select w.content, w.locale, w.searches, w.last_at, ${ROW_MARKS} from page w order by w.place`);
  return toPage(plan, input, size, rows, (row) => ({ ...row, last_at: instant(row.last_at) }));
}

export type FrequentSearch = { content: string; locale: Locale; searches: number; lastAt: string };

/**
 * The most frequent searches of the last weeks, for the nightly counts. Rare ones are left out, and those that hold an email
 * address or an activation code, which one visitor may paste again and again.
 */
export async function listFrequentSearches(limit: number): Promise<FrequentSearch[]> {
  const rows = await db.execute<Omit<FrequentSearch, "locale"> & { locale: string }>(sql`
    select lower(btrim(content)) as content, locale, count(*)::int as searches, max(created_at) as "lastAt" from searches
    where created_at >= shop_now() - make_interval(days => ${SEARCH_DAYS}) and length(btrim(content)) between 1 and 100
      and position('@' in content) = 0
    group by 1, 2 having count(*) >= ${MIN_SEARCHES} order by 3 desc, 1, 2 limit ${limit}`);
  const found: FrequentSearch[] = [];
  for (const row of rows)
    if (!(await hasCode(db, row.content)))
      found.push({ ...row, locale: isLocale(row.locale) ? row.locale : "en" });
  return found;
}
