import type { Tx } from "@/db/client";
import { mails } from "@/db/schema/notifications";
import type { Locale } from "@/lib/i18n";
import { newId } from "@/lib/id";
import { enqueue } from "@/lib/jobs";
import { SendMail } from "./contract";
import { MAIL_ATTEMPTS, type MailEvent } from "./rules";

export type MailRefs = Record<string, string | number>;

type QueueMailInput = {
  event: MailEvent;
  to: string;
  locale: Locale;
  /** What the mail is about, by id: everything else is read when it is sent. Never a code or a token. */
  refs: MailRefs;
  /** Names the occasion, e.g. `keys:ord_…`: one mail for each, however often it is asked for. */
  dedupeKey: string;
};

/**
 * Writes a mail into the outbox, in the transaction that causes it: both happen, or neither (reliability.md, "Jobs
 * and mail"). Returns the mail's id, or null when the occasion has its mail already.
 */
export async function queueMail(tx: Tx, mail: QueueMailInput): Promise<string | null> {
  const { to, ...row } = mail;
  const [queued] = await tx
    .insert(mails)
    .values({ ...row, id: newId("mail"), toAddress: to })
    .onConflictDoNothing({ target: mails.dedupeKey })
    .returning({ id: mails.id });
  if (!queued) return null;
  // Room for attempts that a crash cut short: `mails.attempts` counts the failures and decides.
  await enqueue(tx, SendMail, { mailId: queued.id }, { jobKey: queued.id, maxAttempts: 2 * MAIL_ATTEMPTS });
  return queued.id;
}
