import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { createSignedToken, verifySignedToken } from "@/lib/platform/auth/signed-link";
import { instant } from "@/lib/platform/instant";
import type { AppealView, ReportReceipt } from "./contract";
import {
  APPEAL_MONTHS,
  type AppealOutcome,
  REPORT_PARTIES,
  type ReportKind,
  type ReportOutcome,
  type ReportParty,
  type ReportReason,
} from "./rules";

type Row = {
  id: string;
  kind: ReportKind;
  name: string;
  reason: ReportReason;
  at: string;
  email: string | null;
  outcome: ReportOutcome | null;
  statement: string | null;
  appealUntil: string | null;
  open: boolean;
  appeals: { party: ReportParty; outcome: AppealOutcome | null; statement: string | null; at: string }[];
};

/** SQL: until when the parties may object to the decision about the report `r`. */
export const APPEAL_UNTIL_SQL = sql`r.decided_at + make_interval(months => ${sql.raw(String(APPEAL_MONTHS))})`;

async function readReport(tx: Db, id: string): Promise<Row | null> {
  const [row] = await tx.execute<Row>(sql`
    select r.id, r.kind, r.target_name as name, r.reason, r.created_at as at, r.email, r.outcome, r.statement,
      ${APPEAL_UNTIL_SQL} as "appealUntil", coalesce(${APPEAL_UNTIL_SQL} > shop_now(), false) as open,
      (select coalesce(json_agg(json_build_object('party', a.party, 'outcome', a.outcome, 'statement', a.statement, 'at', a.created_at)), '[]')
        from report_appeals a where a.report_id = r.id) as appeals
    from content_reports r where r.id = ${id}`);
  return row ?? null;
}

/** The receipt that a link opens, without the text of the report; null for an invalid link. */
export async function findReceipt(token: string): Promise<ReportReceipt | null> {
  const id = verifySignedToken("report-receipt", token)?.id;
  const row = typeof id === "string" ? await readReport(db, id) : null;
  return row && { ...row, at: instant(row.at) };
}

/** The token of the link with which a party objects to a decision. */
export const appealToken = (reportId: string, party: ReportParty): string =>
  createSignedToken("report-appeal", { id: reportId, party });

/** The decision that a link objects to; null for an invalid link, and before the decision. */
export async function findAppeal(token: string, tx: Db = db): Promise<AppealView | null> {
  const { id, party: named } = verifySignedToken("report-appeal", token) ?? {};
  const party = REPORT_PARTIES.find((one) => one === named);
  const row = typeof id === "string" && party ? await readReport(tx, id) : null;
  if (!row?.outcome || !party) return null;
  const sent = row.appeals.some((appeal) => appeal.party === party);
  const { kind, name, outcome, statement, appealUntil, open } = row;
  return {
    id: row.id,
    kind,
    name,
    outcome,
    statement,
    party,
    until: instant(appealUntil!),
    open: open && !sent,
    sent,
  };
}

/** The data of the emails about a report; null if it was deleted. */
export async function findReportForMail(id: string) {
  const row = await readReport(db, id);
  return (
    row && { reference: row.id, kind: row.kind, name: row.name, reason: row.reason, at: new Date(row.at) }
  );
}

/** The data of the email about a decision to a party, with the link to object. */
export async function findDecisionForMail(id: string, party: ReportParty) {
  const row = await readReport(db, id);
  if (!row?.outcome || !row.statement) return null;
  const { kind, name, outcome, statement, appealUntil } = row;
  return {
    reference: id,
    kind,
    name,
    outcome,
    statement,
    party,
    token: appealToken(id, party),
    until: new Date(appealUntil!),
  };
}

/** The data of the email about the decision on an objection. */
export async function findAppealForMail(id: string, party: ReportParty) {
  const row = await readReport(db, id);
  const appeal = row?.appeals.find((one) => one.party === party);
  if (!row || !appeal?.outcome || !appeal.statement) return null;
  return {
    reference: id,
    kind: row.kind,
    name: row.name,
    outcome: appeal.outcome,
    statement: appeal.statement,
  };
}
