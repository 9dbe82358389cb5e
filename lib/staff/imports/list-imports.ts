import { sql } from "drizzle-orm";
import { db, listDb } from "@/db/client";
import { mayStaff } from "@/lib/platform/auth/permissions";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { csvLine } from "@/lib/platform/console/csv";
import { ID_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import {
  type ConsoleListQuery,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  SCREEN,
  toPage,
} from "@/lib/platform/console/query";
import { reasonIn } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import { BROKEN_AFTER_SECONDS } from "@/lib/platform/imports/rules";
import { instant } from "@/lib/platform/instant";
import type { ImportRun, ImportRunItem, ImportRunList, ImportsInput } from "./contract";
import { IMPORT_KINDS, type ImportKind, type ImportReportLine, type StoredReportLine } from "./rules";

/** SQL: the import `r` runs no longer, although nothing has ended it. */
export const IS_BROKEN = sql`(r.state = 'running' and r.heartbeat_at < shop_now() - make_interval(secs => ${BROKEN_AFTER_SECONDS}))`;

/** The kinds that the viewer may import, and see the imports of. */
export const importKindsOf = ({ staff }: StaffViewer): ImportKind[] =>
  IMPORT_KINDS.filter((kind) =>
    kind === "coupons" ? mayStaff(staff.roles, "campaigns.manage") : mayStaff(staff.roles, "imports.run"),
  );

/** A report in the viewer's language. */
export const reportIn = ({ locale }: StaffViewer, report: readonly StoredReportLine[]): ImportReportLine[] =>
  report.map(({ line, field, ...why }) => ({ line, field, message: reasonIn(locale, why) }));

const WALKED_IMPORTS = 1_000;
const ITEM = sql`w.id as import_id, w.kind, w.name, w.sha256, w.lines, w.counts, u.email as started_by,
  w.created_at as started_at, w.ended_at, w.state`;

const importListQuery = (viewer: StaffViewer, { kind }: ImportsInput): ConsoleListQuery => {
  const kinds = importKindsOf(viewer).filter((one) => kind === undefined || one === kind);
  return {
    from: sql`import_runs r`,
    alias: sql`r`,
    columns: sql`r.id, r.kind, r.name, r.sha256, r.lines, r.counts, r.started_by, r.created_at,
      case when ${IS_BROKEN} then r.heartbeat_at else r.ended_at end as ended_at,
      case when ${IS_BROKEN} then 'broken' else r.state end as state`,
    indexed: [],
    filters: [sql`r.kind in (select jsonb_array_elements_text(${JSON.stringify(kinds)}::jsonb))`],
    walked: WALKED_IMPORTS,
    sort: [
      { value: sql`r.created_at`, type: "timestamptz", pattern: TIME_PATTERN },
      { value: sql`r.id`, type: "text", pattern: ID_PATTERN },
    ],
    at: sql`r.created_at`,
  };
};

type Row = Omit<ImportRunItem, "started_at" | "ended_at"> & { started_at: string; ended_at: string | null };
const toItem = (row: Row): ImportRunItem => ({
  ...row,
  started_at: instant(row.started_at),
  ended_at: instant(row.ended_at),
});

/** The imports of the kinds that the viewer may import, the newest first. @throws ShopError cursor_invalid */
export async function listImports(viewer: StaffViewer, input: ImportsInput): Promise<ImportRunList> {
  const query = importListQuery(viewer, input);
  const rows = await listDb.execute<Row & RowMarks>(sql`
    with ${pageSql(query, input, SCREEN)}
    select ${ITEM}, ${ROW_MARKS} from page w join users u on u.id = w.started_by order by w.place`);
  return toPage(query, input, SCREEN, rows, toItem);
}

/** An import with its refused lines. @throws ShopError import_unknown: none, or of a kind that the viewer may not import */
export async function getImport(viewer: StaffViewer, id: string): Promise<ImportRun> {
  const { from, columns } = importListQuery(viewer, { cursor: undefined });
  const [row] = await db.execute<Row & { report: StoredReportLine[] }>(sql`
    select ${ITEM}, w.report from (select ${columns}, r.report from ${from} where r.id = ${id}) w
    join users u on u.id = w.started_by`);
  if (!row || !importKindsOf(viewer).includes(row.kind)) throw new ShopError("import_unknown");
  const { report, ...item } = row;
  return { ...toItem(item), report: reportIn(viewer, report) };
}

/** The refused lines of an import as CSV. @throws ShopError import_unknown */
export async function refusedCsv(viewer: StaffViewer, id: string): Promise<string> {
  const { report } = await getImport(viewer, id);
  const rows = report.map(({ line, field, message }) => csvLine([line, field, message]));
  return `\ufeff${csvLine(["line", "field", "reason"])}${rows.join("")}`;
}
