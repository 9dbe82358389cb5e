import { sql } from "drizzle-orm";
import { type Db, db, statements, type Tx } from "@/db/client";
import { newId } from "@/lib/platform/crypto/ids";
import type { Locale } from "@/lib/platform/i18n/locales";
import { enqueue, enqueueSql } from "@/lib/platform/jobs/queue";
import { SendMail } from "./contract";
import { MAIL_ATTEMPTS, type MailEvent } from "./rules";

/** A mail is sent within seconds; what waits longer than this has lost its job, or has one that pauses. */
const STRANDED_MINUTES = 5;
const STRANDED_AT_ONCE = 500;
/** That nothing was sent for so long before a mail failed says that it was the provider's failure, not the mail's own. */
const OUTAGE_MINUTES = 5;

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
  const id = newId("mail");
  const [queued] = await statements(tx)<{ id: string }[]>`
    with mail as (
      insert into mails (id, event, to_address, locale, refs, dedupe_key)
      values (${id}, ${mail.event}, ${mail.to}, ${mail.locale}, ${JSON.stringify(mail.refs)}::jsonb, ${mail.dedupeKey})
      on conflict (dedupe_key) do nothing returning id)
    select mail.id, ${enqueueSql(tx, SendMail, { mailId: id }, jobOf(id))} as job from mail`.execute();
  return queued?.id ?? null;
}

/** Room for attempts that a crash cut short: `mails.attempts` counts the failures and decides. */
const jobOf = (mailId: string) => ({ jobKey: mailId, maxAttempts: 2 * MAIL_ATTEMPTS });

const enqueueMail = (tx: Db, mailId: string) => enqueue(tx, SendMail, { mailId }, jobOf(mailId));

/**
 * Gives a new job to every mail that has been queued for more than five minutes and that no living job will send:
 * reliability.md promises that paid never ends in silence, whatever became of the queue. Answers their ids.
 */
export async function requeueStrandedMails(): Promise<string[]> {
  const stranded = await db.execute<{ id: string }>(sql`
    select m.id from mails m
    where m.state = 'queued' and m.created_at < shop_now() - make_interval(mins => ${STRANDED_MINUTES})
      and not exists (select from graphile_worker.jobs j where j.key = m.id and j.attempts < j.max_attempts)
    order by m.created_at, m.id limit ${STRANDED_AT_ONCE}`);
  for (const { id } of stranded) await enqueueMail(db, id);
  return stranded.map(({ id }) => id);
}

/**
 * After an outage the queue's pauses are as long as the outage was. When a mail has gone out since, those that failed
 * while none did are tried at once. Answers how many.
 */
export async function hurryKeptMails(): Promise<number> {
  const kept = await db.execute<{ id: string }>(sql`
    select m.id from mails m
    where m.state = 'queued' and exists (select from mails s where s.sent_at > m.failed_at)
      and not exists (select from mails s where s.sent_at > m.failed_at - make_interval(mins => ${OUTAGE_MINUTES})
        and s.sent_at <= m.failed_at)
      and exists (select from graphile_worker.jobs j where j.key = m.id and j.run_at > now())
    order by m.created_at, m.id limit ${STRANDED_AT_ONCE}`);
  for (const { id } of kept) await enqueueMail(db, id);
  return kept.length;
}
