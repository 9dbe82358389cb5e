import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { deleteInBatches } from "@/db/retention";
import { mails } from "@/db/schema/notifications";
import { readProgress, writeProgress } from "@/lib/platform/jobs/progress";
import { MAIL_DAYS, type MailEvent } from "./rules";

/**
 * Deletes emails that are older than MAIL_DAYS and no longer wait. Notices of an account stay, because an account's earlier
 * addresses are found by them. Returns their number.
 */
export async function deleteOldMails(): Promise<number> {
  const [limit] = await db.execute<{ before: string }>(sql`
    select (shop_now() - make_interval(days => ${MAIL_DAYS}))::text as before`);
  const { before } = limit!;
  const after = (await readProgress("delete-old-mails")) ?? "-infinity";
  const isOld = sql`created_at >= ${after}::timestamptz and created_at < ${before}::timestamptz
    and state <> 'queued' and event <> ${"account-notice" satisfies MailEvent}`;
  const count = await deleteInBatches(mails, isOld, sql`created_at`);
  await writeProgress("delete-old-mails", before);
  return count;
}
