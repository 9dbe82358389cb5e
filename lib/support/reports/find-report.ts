import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { createSignedToken, verifySignedToken } from "@/lib/platform/auth/signed-link";
import { instant } from "@/lib/platform/instant";
import type { AppealView, ReportReceipt } from "./contract";
import {
  APPEAL_MONTHS,
  type DecidedAppeal,
  REPORT_PARTIES,
  type ReportKind,
  type ReportOutcome,
  type ReportParty,
  type ReportReason,
  standingDecision,
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
  decidedAt: string | null;
  appealUntil: string | null;
  open: boolean;
  appeals: (DecidedAppeal & { party: ReportParty })[];
};

/** SQL: until when the parties may object to the decision that stands about the report `r`. */
const APPEAL_UNTIL_SQL = sql`greatest(r.decided_at, (
  select max(a.decided_at) from report_appeals a where a.report_id = r.id and a.outcome = 'reversed')
) + make_interval(months => ${sql.raw(String(APPEAL_MONTHS))})`;

async function readReport(tx: Db, id: string): Promise<Row | null> {
  const [row] = await tx.execute<Row>(sql`
    select r.id, r.kind, r.target_name as name, r.reason, r.created_at as at, r.email, r.outcome, r.statement, r.decided_at as "decidedAt",
      ${APPEAL_UNTIL_SQL} as "appealUntil", coalesce(${APPEAL_UNTIL_SQL} > shop_now(), false) as open,
      (select coalesce(json_agg(json_build_object('party', a.party, 'outcome', a.outcome, 'statement', a.statement, 'at', a.created_at,
          'decidedAt', a.decided_at) order by a.decided_at), '[]')
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

const standingOf = ({ outcome, statement, decidedAt, appeals }: Row) =>
  outcome && decidedAt ? standingDecision({ outcome, statement, decidedAt }, appeals) : null;

/** The secret of a party's link to object; null once it has. */
const linkOf = ({ id, appeals }: Row, party: ReportParty): string | null =>
  appeals.some((appeal) => appeal.party === party) ? null : appealToken(id, party);

/** The decision that a link objects to; null for an invalid link, and before the decision. */
export async function findAppeal(token: string, tx: Db = db): Promise<AppealView | null> {
  const { id, party: named } = verifySignedToken("report-appeal", token) ?? {};
  const party = REPORT_PARTIES.find((one) => one === named);
  const row = typeof id === "string" && party ? await readReport(tx, id) : null;
  if (!row?.outcome || !party) return null;
  const sent = row.appeals.some((appeal) => appeal.party === party);
  const { kind, name, appealUntil, open } = row;
  const { outcome, statement } = standingOf(row)!;
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

/**
 * The data of the email about a decision to a party, with the link to object. `restrictedAfter`: the party whose objection
 * led to a restriction, of which the email is.
 */
export async function findDecisionForMail(
  id: string,
  party: ReportParty,
  restrictedAfter: ReportParty | null,
) {
  const row = await readReport(db, id);
  const appeal = row?.appeals.find((one) => one.party === restrictedAfter);
  const statement = restrictedAfter ? appeal?.statement : row?.statement;
  if (!row?.outcome || !statement) return null;
  const { kind, name, appealUntil } = row;
  const outcome = restrictedAfter ? ("restricted" as const) : row.outcome;
  const token = linkOf(row, party);
  return { reference: id, kind, name, outcome, statement, party, token, until: new Date(appealUntil!) };
}

/**
 * The data of the email to a party about the decision on an objection, with the link to object to a reversal. `changes`: it
 * changed what shoppers see.
 */
export async function findAppealForMail(
  id: string,
  about: ReportParty,
  party: ReportParty,
  changes: boolean,
) {
  const row = await readReport(db, id);
  const appeal = row?.appeals.find((one) => one.party === about);
  if (!row || !appeal?.outcome || !appeal.statement) return null;
  const isReversed = appeal.outcome === "reversed";
  return {
    reference: id,
    kind: row.kind,
    name: row.name,
    outcome: isReversed && !changes ? ("unchanged" as const) : appeal.outcome,
    statement: appeal.statement,
    token: isReversed ? linkOf(row, party) : null,
    until: new Date(row.appealUntil!),
  };
}
