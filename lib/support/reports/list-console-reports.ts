import { type SQL, sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { declareQuery, finds, idKey, timeKey } from "@/lib/platform/console/declare-query";
import type { QueueState } from "@/lib/platform/console/list";
import {
  actorNameSql,
  countQueue,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  SCREEN,
  toPage,
  versionSql,
} from "@/lib/platform/console/query";
import { instant } from "@/lib/platform/instant";
import type { ConsoleReport, ConsoleReportList, ConsoleReportsInput } from "./contract";
import { SHOWN_SQL } from "./find-target";

/** SQL: an objection to the decision of the report `w` waits. */
const APPEALED = sql`exists (select from report_appeals a where a.report_id = w.id and a.decided_at is null)`;
const STATES: Readonly<Record<ConsoleReportsInput["state"], SQL>> = {
  open: sql`w.decided_at is null`,
  appealed: sql`w.id in (select a.report_id from report_appeals a where a.decided_at is null)`,
  decided: sql`w.decided_at is not null`,
};

/** SQL: the version of a report `w`: what staff decide by. */
export const REPORT_VERSION: SQL<string> = versionSql(
  sql`w.id, w.outcome, w.decided_at`,
  sql`(select count(*) from report_appeals a where a.report_id = w.id)`,
  sql`(select count(*) from report_appeals a where a.report_id = w.id and a.decided_at is not null)`,
  SHOWN_SQL,
);

type Row = Omit<ConsoleReport, "path"> & { target_id: string };

/** SQL: what staff see of a report `w`, besides its id. */
export const reportColumns = (viewerId: string) => sql`
  w.kind, w.target_id, w.target_name, ${SHOWN_SQL} as shown, w.reason, w.text, w.email, w.created_at, w.outcome, w.statement, w.decided_at,
  ${actorNameSql("w.decided_by")} as decided_by, coalesce(w.decided_by = ${viewerId}, false) as own_decision, ${APPEALED} as appealed,
  (select coalesce(json_agg(json_build_object('party', a.party, 'text', a.text, 'created_at', a.created_at, 'outcome', a.outcome,
      'statement', a.statement, 'decided_at', a.decided_at) order by a.created_at, a.id), '[]')
    from report_appeals a where a.report_id = w.id) as appeals, ${REPORT_VERSION} as version`;

const PATHS = { product: "products", review: "reviews", seller: "merchants" } as const;
/** Where what was reported is seen, and taken off the shop. */
export const reportPath = ({ kind, target_id }: Pick<Row, "kind" | "target_id">): string =>
  kind === "review" ? "/console/reviews" : `/console/${PATHS[kind]}/${target_id}`;

export const toReport = ({ target_id, ...row }: Row): ConsoleReport => ({
  ...row,
  path: reportPath({ kind: row.kind, target_id }),
  created_at: instant(row.created_at),
  decided_at: instant(row.decided_at),
  appeals: row.appeals.map((appeal) => ({
    ...appeal,
    created_at: instant(appeal.created_at),
    decided_at: instant(appeal.decided_at),
  })),
});
export type ReportRow = Row;

const reportListQuery = declareQuery<ConsoleReportsInput>({
  table: "content_reports w",
  columns:
    "id, kind, target_id, target_name, reason, text, email, created_at, outcome, statement, decided_at, decided_by",
  order: [timeKey("w.created_at"), idKey("w.id")],
  ascending: ({ state }) => state !== "decided",
  indexes: { state: finds((state) => STATES[state]) },
  checks: { state: (state) => STATES[state] },
});

/**
 * A page of reports with their objections.
 * @throws ShopError cursor_invalid
 */
export async function listConsoleReports(
  { userId }: StaffViewer,
  input: ConsoleReportsInput,
): Promise<ConsoleReportList> {
  const query = reportListQuery(input);
  const rows = await listDb.execute<Row & RowMarks>(sql`
    with ${pageSql(query, input, SCREEN)}
    select w.id as report_id, ${reportColumns(userId)}, ${ROW_MARKS} from page w order by w.place`);
  return toPage(query, input, SCREEN, rows, toReport);
}

/** Reports without a decision, and objections without one. */
export const countReports = (): Promise<QueueState> =>
  countQueue(sql`
    select waiting.at from (select w.created_at as at from content_reports w where w.decided_at is null
      union all select a.created_at from report_appeals a where a.decided_at is null) waiting order by waiting.at`);
