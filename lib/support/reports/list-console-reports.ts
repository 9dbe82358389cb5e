import { type SQL, sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { mayStaff } from "@/lib/platform/auth/permissions";
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
import { SHOWN_SQL, STANDING_SQL } from "./find-target";
import { RESTRICT_RIGHTS } from "./rules";

/** SQL: the last reversal of the decision about the report `w`. */
const reversalSql = (column: "decided_by" | "id") => sql`(
  select a.${sql.raw(column)} from report_appeals a where a.report_id = w.id and a.outcome = 'reversed'
  order by a.decided_at desc limit 1)`;
/** SQL: who made the decision about the report `w` to which somebody objects. */
export const DECIDER_SQL = sql`coalesce(${reversalSql("decided_by")}, w.decided_by)`;

/** SQL: an objection to the decision of the report `w` waits. */
const APPEALED = sql`exists (select from report_appeals a where a.report_id = w.id and a.decided_at is null)`;
const STATES: Readonly<Record<ConsoleReportsInput["state"], SQL>> = {
  open: sql`w.decided_at is null`,
  appealed: sql`w.id in (select a.report_id from report_appeals a where a.decided_at is null)`,
  decided: sql`w.decided_at is not null`,
};

/** SQL: the version of a report `w`, on which staff base their decision. */
export const REPORT_VERSION: SQL<string> = versionSql(
  sql`w.id, w.outcome, w.decided_at`,
  sql`(select count(*) from report_appeals a where a.report_id = w.id)`,
  sql`(select count(*) from report_appeals a where a.report_id = w.id and a.decided_at is not null)`,
  SHOWN_SQL,
  sql`w.restriction`,
  STANDING_SQL,
);

type Row = Omit<ConsoleReport, "path" | "may_change"> & { target_id: string };

/** SQL: what staff see of a report `w`, besides its id. */
export const reportColumns = (viewerId: string) => sql`
  w.kind, w.target_id, w.target_name, ${SHOWN_SQL} as shown, w.reason, w.text, w.email, w.created_at, w.outcome, w.statement, w.decided_at,
  ${actorNameSql("w.decided_by")} as decided_by, coalesce(${DECIDER_SQL} = ${viewerId}, false) as own_decision, ${APPEALED} as appealed,
  case when (w.outcome = 'restricted') = (${reversalSql("id")} is null) then w.restriction is not null else ${STANDING_SQL} end as changes_shop,
  (select coalesce(json_agg(json_build_object('party', a.party, 'text', a.text, 'created_at', a.created_at, 'outcome', a.outcome,
      'statement', a.statement, 'decided_at', a.decided_at) order by a.created_at, a.id), '[]')
    from report_appeals a where a.report_id = w.id) as appeals, ${REPORT_VERSION} as version`;

const PATHS = { product: "products", review: "reviews", seller: "merchants" } as const;
/** The console page of what was reported, where it can be taken off the shop. */
export const reportPath = ({ kind, target_id }: Pick<Row, "kind" | "target_id">): string =>
  kind === "review" ? "/console/reviews" : `/console/${PATHS[kind]}/${target_id}`;

/** Whether somebody may take off the shop what is reported, or put it back. */
export const mayRestrict = ({ staff }: StaffViewer, kind: Row["kind"]): boolean =>
  mayStaff(staff.roles, RESTRICT_RIGHTS[kind]);

const toReport = ({ target_id, ...row }: Row, viewer: StaffViewer): ConsoleReport => ({
  ...row,
  may_change: mayRestrict(viewer, row.kind),
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
    "id, kind, target_id, target_name, reason, text, email, created_at, outcome, statement, decided_at, decided_by, restriction",
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
  viewer: StaffViewer,
  input: ConsoleReportsInput,
): Promise<ConsoleReportList> {
  const query = reportListQuery(input);
  const rows = await listDb.execute<Row & RowMarks>(sql`
    with ${pageSql(query, input, SCREEN)}
    select w.id as report_id, ${reportColumns(viewer.userId)}, ${ROW_MARKS} from page w order by w.place`);
  return toPage(query, input, SCREEN, rows, (row) => toReport(row, viewer));
}

/** Reports without a decision, and objections without one. */
export const countReports = (): Promise<QueueState> =>
  countQueue(sql`
    select waiting.at from (select w.created_at as at from content_reports w where w.decided_at is null
      union all select a.created_at from report_appeals a where a.decided_at is null) waiting order by waiting.at`);
