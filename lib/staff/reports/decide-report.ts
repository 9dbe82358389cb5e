import { eq, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { contentReports } from "@/db/schema/support";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import { queueMail } from "@/lib/notifications/queue-mail";
import type { MailEvent } from "@/lib/notifications/rules";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { requireShownRow } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { DecideAppealInput, DecideReportInput } from "@/lib/support/reports/contract";
import { listAffected } from "@/lib/support/reports/find-target";
import { DECIDER_SQL, REPORT_VERSION } from "@/lib/support/reports/list-console-reports";
import {
  type DecidedAppeal,
  type ReportKind,
  type ReportOutcome,
  type ReportParty,
  type Restriction,
  type StandingDecision,
  standingDecision,
  wantedOutcome,
} from "@/lib/support/reports/rules";
import { type Decided, releaseTarget, restrictTarget } from "./restrict-target";

type Locked = {
  kind: ReportKind;
  targetId: string;
  email: string | null;
  locale: string;
  outcome: ReportOutcome | null;
  statement: string | null;
  decidedAt: string | null;
  decidedBy: string | null;
  restriction: Restriction | null;
};

async function lockReport(tx: Tx, id: string, { version }: SeenVersion): Promise<Locked> {
  await tx.execute(sql`select 1 from content_reports where id = ${id} for update`);
  const [row] = await tx.execute<Locked>(sql`
    select w.kind, w.target_id as "targetId", w.email, w.locale, w.outcome, w.statement, w.decided_at as "decidedAt",
      ${DECIDER_SQL} as "decidedBy", w.restriction
    from content_reports w where w.id = ${id}`);
  if (!row) throw new ShopError("report_unknown");
  const from = sql`content_reports w where w.id = ${id}`;
  await requireShownRow(tx, { version }, { version: REPORT_VERSION, from });
  return row;
}

/**
 * Mails the parties, each in their language: the reporter, if there is an address, and the `affected` people. `about`: the
 * first decision, or the party whose objection was decided.
 */
async function mailParties(
  tx: Tx,
  event: MailEvent,
  id: string,
  { kind, targetId, email, locale }: Locked,
  parties: readonly ReportParty[],
  about: "decision" | ReportParty,
  more: { again?: number; changes?: number } = {},
): Promise<void> {
  const send = (party: ReportParty, to: string, language: string, who: string) =>
    queueMail(tx, {
      event,
      to,
      locale: language,
      refs: {
        reportId: id,
        party: party === "affected" ? 1 : 0,
        about: about === "affected" ? 1 : 0,
        ...more,
      },
      dedupeKey: `${event}:${id}:${about}:${who}`,
    });
  if (parties.includes("reporter") && email) await send("reporter", email, locale, "reporter");
  if (parties.includes("affected"))
    for (const person of await listAffected(tx, kind, targetId))
      await send("affected", person.email, person.locale, person.id);
}

/**
 * Decides about a report with reasons, which are mailed to both parties. `restricted` takes the reported thing off the
 * shop in the same transaction (`restrictTarget`), unless it is already off.
 * @throws ShopError report_unknown, report_decided, report_right_missing, reauthentication_required, revision_conflict,
 * note_has_code
 */
export const decideReport = (viewer: StaffViewer, id: string, input: DecideReportInput, locale: Locale) =>
  transaction(async (tx) => {
    const { outcome, statement } = input;
    const { userId: actor } = viewer;
    await requireNoCode(tx, statement);
    const report = await lockReport(tx, id, input);
    if (report.outcome) throw new ShopError("report_decided");
    const isRestricted = outcome === "restricted";
    const decided = { viewer, locale, reportId: id, targetId: report.targetId, statement };
    const restriction = isRestricted ? await restrictTarget(tx, report.kind, decided) : null;
    await tx
      .update(contentReports)
      .set({ outcome, statement, decidedAt: shopNow, decidedBy: actor, restriction })
      .where(eq(contentReports.id, id));
    await mailParties(
      tx,
      "report-decided",
      id,
      report,
      isRestricted ? ["reporter", "affected"] : ["reporter"],
      "decision",
    );
    const detail = { kind: report.kind, outcome, reason: statement };
    await audit({ actor, action: "report.decided", subject: id, detail }, tx);
    return { report_id: id };
  });

/** What a reversal does. `changes`: shoppers see something else than before. */
type Reversal = { restricts: boolean; changes: boolean };

/** Brings about what an objection asks for; null: another one has already. */
async function reverse(
  tx: Tx,
  { kind, restriction: former }: Locked,
  decided: Decided,
  appeal: { at: string },
  first: StandingDecision,
): Promise<Reversal | null> {
  const id = decided.reportId;
  const earlier = await tx.execute<DecidedAppeal>(sql`
    select a.outcome, a.statement, a.created_at as at, a.decided_at as "decidedAt" from report_appeals a
    where a.report_id = ${id} and a.decided_at is not null order by a.decided_at`);
  const standing = standingDecision(first, earlier);
  const wanted = wantedOutcome(standing, appeal.at);
  if (wanted === standing.outcome) return null;
  const restricts = wanted === "restricted";
  const restriction = restricts ? await restrictTarget(tx, kind, decided) : null;
  const changes = restricts
    ? restriction !== null
    : former !== null && (await releaseTarget(tx, kind, decided, former));
  await tx.update(contentReports).set({ restriction }).where(eq(contentReports.id, id));
  return { restricts, changes };
}

/**
 * Decides about the objection that has waited longest. The person who made the decision that stands cannot. `reversed`
 * restores what the decision took off the shop, unless someone has changed it since, or takes off what it kept.
 * @throws ShopError report_unknown, report_decided (no objection waits), own_decision, report_right_missing,
 * reauthentication_required, revision_conflict, note_has_code
 */
export const decideAppeal = (viewer: StaffViewer, id: string, input: DecideAppealInput, locale: Locale) =>
  transaction(async (tx) => {
    const { outcome, statement } = input;
    const { userId: actor } = viewer;
    await requireNoCode(tx, statement);
    const report = await lockReport(tx, id, input);
    const [appeal] = await tx.execute<{ id: string; party: ReportParty; at: string }>(sql`
      select id, party, created_at as at from report_appeals where report_id = ${id} and decided_at is null order by created_at, id limit 1`);
    const { kind, targetId, outcome: first, statement: reasons, decidedAt } = report;
    if (!appeal || !first || !decidedAt) throw new ShopError("report_decided");
    if (report.decidedBy === actor) throw new ShopError("own_decision");
    const decided = { viewer, locale, reportId: id, targetId, statement };
    const reversal =
      outcome === "reversed"
        ? await reverse(tx, report, decided, appeal, { outcome: first, statement: reasons, decidedAt })
        : null;
    await tx.execute(sql`
      update report_appeals set outcome = ${outcome}, statement = ${statement}, decided_at = shop_now(), decided_by = ${actor} where id = ${appeal.id}`);
    const changes = reversal?.changes ? 1 : 0;
    const mail = (event: MailEvent, parties: ReportParty[], more: { again?: number; changes?: number }) =>
      mailParties(tx, event, id, report, parties, appeal.party, more);
    // A reversal concerns the other party too. The one it restricts gets the reasons and the link of any restriction.
    if (!reversal) await mail("report-appeal", [appeal.party], { changes });
    else if (!reversal.restricts) await mail("report-appeal", ["reporter", "affected"], { changes });
    else {
      await mail("report-appeal", ["reporter"], { changes });
      await mail("report-decided", ["affected"], { again: 1 });
    }
    const detail = { kind, outcome, reason: statement };
    await audit({ actor, action: "report.appeal_decided", subject: id, detail }, tx);
    return { report_id: id };
  });
