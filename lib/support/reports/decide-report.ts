import { sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import { queueMail } from "@/lib/notifications/queue-mail";
import type { MailEvent } from "@/lib/notifications/rules";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { requireShownRow } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";
import type { DecideAppealInput, DecideReportInput } from "./contract";
import { listAffected, SHOWN_SQL } from "./find-target";
import { REPORT_VERSION } from "./list-console-reports";
import type { ReportKind, ReportOutcome, ReportParty } from "./rules";

type Locked = {
  kind: ReportKind;
  targetId: string;
  email: string | null;
  locale: string;
  outcome: ReportOutcome | null;
  decidedBy: string | null;
  shown: boolean;
};

async function lockReport(tx: Tx, id: string, { version }: SeenVersion): Promise<Locked> {
  await tx.execute(sql`select 1 from content_reports where id = ${id} for update`);
  const [row] = await tx.execute<Locked>(sql`
    select w.kind, w.target_id as "targetId", w.email, w.locale, w.outcome, w.decided_by as "decidedBy", ${SHOWN_SQL} as shown
    from content_reports w where w.id = ${id}`);
  if (!row) throw new ShopError("report_unknown");
  const from = sql`content_reports w where w.id = ${id}`;
  await requireShownRow(tx, { version }, { version: REPORT_VERSION, from });
  return row;
}

/** Hides a review, or shows it again. */
async function setReviewState(
  tx: Tx,
  actor: string,
  id: string,
  state: "hidden" | "published",
  reason: string,
) {
  const isHidden = state === "hidden";
  const changed = await tx.execute(sql`
    update reviews set state = ${state}, hidden_at = case when ${isHidden} then shop_now() end,
      hidden_reason = case when ${isHidden} then ${reason} end
    where id = ${id} and state <> ${state} returning id`);
  if (changed.length > 0)
    await audit(
      { actor, action: isHidden ? "review_hidden" : "review_shown", subject: id, detail: { reason } },
      tx,
    );
}

/** Tells the sides: who reported, if there is an address, and `affected` those whom it concerns, each in their language. */
async function mailParties(
  tx: Tx,
  event: MailEvent,
  id: string,
  { kind, targetId, email, locale }: Locked,
  parties: readonly ReportParty[],
  about: string,
): Promise<void> {
  const send = (party: ReportParty, to: string, language: string, who: string) =>
    queueMail(tx, {
      event,
      to,
      locale: language,
      refs: { reportId: id, party: party === "affected" ? 1 : 0, about: about === "affected" ? 1 : 0 },
      dedupeKey: `${event}:${id}:${about}:${who}`,
    });
  if (parties.includes("reporter") && email) await send("reporter", email, locale, "reporter");
  if (parties.includes("affected"))
    for (const person of await listAffected(tx, kind, targetId))
      await send("affected", person.email, person.locale, person.id);
}

/**
 * Decides about a report with reasons, which both sides get. A review that is to go is hidden by the decision; a product or seller was
 * taken off the shop before, by who may do that.
 * @throws ShopError report_unknown, report_decided, report_still_shown, revision_conflict, note_has_code
 */
export const decideReport = ({ userId: actor }: StaffViewer, id: string, input: DecideReportInput) =>
  transaction(async (tx) => {
    const { outcome, statement } = input;
    await requireNoCode(tx, statement);
    const report = await lockReport(tx, id, input);
    if (report.outcome) throw new ShopError("report_decided");
    const isRestricted = outcome === "restricted";
    if (isRestricted && report.kind !== "review" && report.shown) throw new ShopError("report_still_shown");
    await tx.execute(sql`
      update content_reports set outcome = ${outcome}, statement = ${statement}, decided_at = shop_now(), decided_by = ${actor} where id = ${id}`);
    if (isRestricted && report.kind === "review")
      await setReviewState(tx, actor, report.targetId, "hidden", statement);
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

/**
 * Decides about the objection that has waited longest; never who made the decision. A reversed decision that hid a review shows it
 * again, and one that kept it hides it.
 * @throws ShopError report_unknown, report_decided: none waits; own_decision, report_still_shown, revision_conflict, note_has_code
 */
export const decideAppeal = ({ userId: actor }: StaffViewer, id: string, input: DecideAppealInput) =>
  transaction(async (tx) => {
    const { outcome, statement } = input;
    await requireNoCode(tx, statement);
    const report = await lockReport(tx, id, input);
    const [appeal] = await tx.execute<{ id: string; party: ReportParty }>(sql`
      select id, party from report_appeals where report_id = ${id} and decided_at is null order by created_at, id limit 1`);
    if (!appeal || !report.outcome) throw new ShopError("report_decided");
    if (report.decidedBy === actor) throw new ShopError("own_decision");
    const isReversed = outcome === "reversed";
    const next: ReportOutcome = report.outcome === "kept" ? "restricted" : "kept";
    if (isReversed && next === "restricted" && report.kind !== "review" && report.shown)
      throw new ShopError("report_still_shown");
    await tx.execute(sql`
      update report_appeals set outcome = ${outcome}, statement = ${statement}, decided_at = shop_now(), decided_by = ${actor} where id = ${appeal.id}`);
    if (isReversed && report.kind === "review")
      await setReviewState(
        tx,
        actor,
        report.targetId,
        next === "restricted" ? "hidden" : "published",
        statement,
      );
    // A reversal concerns the other side too.
    await mailParties(
      tx,
      "report-appeal",
      id,
      report,
      isReversed ? ["reporter", "affected"] : [appeal.party],
      appeal.party,
    );
    const detail = { kind: report.kind, outcome, reason: statement };
    await audit({ actor, action: "report.appeal_decided", subject: id, detail }, tx);
    return { report_id: id };
  });
