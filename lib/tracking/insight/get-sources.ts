import { type SQL, sql } from "drizzle-orm";
import { reportDb } from "@/db/client";
import { NUMBER_PATTERN, TEXT_PATTERN, WORD_PATTERN } from "@/lib/platform/console/cursor";
import {
  type ConsoleListQuery,
  type ListSize,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  rowCount,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import type {
  SourceDays,
  SourceDaysInput,
  SourceFigures,
  SourceList,
  SourcesInput,
  SourcesPageInput,
} from "@/lib/tracking/insight/contract";
import type { SourceKind } from "@/lib/tracking/rules";

const FIGURES = ["visits", "product_views", "carts", "orders", "paid"] as const;
type Figures = Record<(typeof FIGURES)[number], number>;
const figureColumns = (table: string): SQL =>
  sql.raw(FIGURES.map((figure) => `${table}.${figure}`).join(", "));

const BY_VISITS: readonly SortKey[] = [
  { value: sql`f.visits`, type: "int", pattern: NUMBER_PATTERN },
  { value: sql`f.kind`, type: "text", pattern: WORD_PATTERN },
  { value: sql`f.source`, type: "text", pattern: TEXT_PATTERN },
];

export const sourceListQuery = ({ days }: SourcesInput): ConsoleListQuery => ({
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
  const query = sourceListQuery(input);
  const rows = await reportDb.execute<SourceFigures & RowMarks>(sql`
    with ${pageSql(query, input, size)}
    select w.kind, case when w.kind = 'named' then w.source end as source, ${figureColumns("w")}, ${ROW_MARKS}
    from page w order by w.place`);
  const page = await toPage(query, input, size, rows, (row): SourceFigures => row);
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
