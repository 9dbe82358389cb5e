import { inArray, sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { contentReports } from "@/db/schema/support";
import { APPEAL_MONTHS, REPORT_DAYS } from "./rules";

/**
 * Erases the email addresses (in lower case) of a deleted account from its reports, which stay until they are decided
 * and expired.
 */
export async function eraseReporter(tx: Tx, emails: readonly string[]): Promise<void> {
  if (emails.length === 0) return;
  await tx
    .update(contentReports)
    .set({ email: null })
    .where(inArray(contentReports.email, [...emails]));
}

/** Deletes reports and their objections REPORT_DAYS after the last objection period, unless an objection is undecided. */
export async function deleteOldReports(): Promise<void> {
  for (;;) {
    const deleted = await db.execute(sql`
      with due as (
        select r.id from content_reports r
        where r.decided_at < shop_now() - make_interval(months => ${APPEAL_MONTHS}, days => ${REPORT_DAYS})
          and not exists (select from report_appeals a where a.report_id = r.id
            and (a.decided_at is null or a.decided_at > shop_now() - make_interval(
              months => case a.outcome when 'reversed' then ${APPEAL_MONTHS}::int else 0 end, days => ${REPORT_DAYS})))
        order by r.decided_at limit 1000
      ), appeals as (delete from report_appeals a using due where a.report_id = due.id)
      delete from content_reports r using due where r.id = due.id returning 1`);
    if (deleted.length < 1000) return;
  }
}
