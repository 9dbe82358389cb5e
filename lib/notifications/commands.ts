import { sql } from "drizzle-orm";
import { type Db, db, statements, type Tx } from "@/db/client";
import { deleteInBatches } from "@/db/retention";
import { mails } from "@/db/schema/notifications";
import { newId } from "@/lib/platform/crypto/ids";
import { readProgress, writeProgress } from "@/lib/platform/jobs/progress";
import { enqueue, enqueueSql } from "@/lib/platform/jobs/queue";
import { SendMail } from "./contract";
import { MAIL_ATTEMPTS, MAIL_DAYS, type MailEvent } from "./rules";

/** An email is sent within seconds; one that is queued for longer has lost its job or waits for a retry. */
const LOST_AFTER_MINUTES = 5;
const BATCH = 500;
/** Without any sent email in this time before a failure, the failure counts as an outage of the provider. */
const OUTAGE_MINUTES = 5;

export type MailRefs = Record<string, string | number>;

type QueueMailInput = {
  event: MailEvent;
  to: string;
  /** The recipient's stored language; another than the shop's is sent in English. */
  locale: string;
  /** The order that the email is about: it names its number and uses its time zone, else that of the recipient's account. */
  orderId?: string;
  /** The time zone of the email when neither an order nor an account of the recipient has one; default: UTC. */
  timeZone?: string;
  /** Ids of the records that the email describes; its content is read at send time. Never a code or a token. */
  refs: MailRefs;
  /** Unique key, such as `keys:ord_…`: at most one email per key. */
  dedupeKey: string;
};

/** Queues an email in the transaction that causes it. Returns its id, or null when its `dedupeKey` exists. */
export async function queueMail(tx: Tx, mail: QueueMailInput): Promise<string | null> {
  const id = newId("mail");
  const [queued] = await statements(tx)<{ id: string; job: string }[]>`
    with mailed_order as (select order_number, time_zone from orders where id = ${mail.orderId ?? null}), mail as (
      insert into mails (id, event, to_address, locale, order_number, time_zone, refs, dedupe_key)
      values (${id}, ${mail.event}, ${mail.to}, ${mail.locale}, (select order_number from mailed_order),
        coalesce((select time_zone from mailed_order), (
          select s.time_zone from sessions s join users u on u.id = s.user_id
          where lower(u.email) = lower(${mail.to}) and s.time_zone is not null order by s.seen_at desc limit 1), ${mail.timeZone ?? null}), ${JSON.stringify(mail.refs)}::jsonb, ${mail.dedupeKey})
      on conflict (dedupe_key) do nothing returning id)
    select mail.id, ${enqueueSql(tx, SendMail, { mailId: id }, jobOptions(id))} as job from mail`;
  return queued?.id ?? null;
}

/** More attempts than MAIL_ATTEMPTS, because crashes use some up; `mails.attempts` counts failures and decides. */
const jobOptions = (mailId: string) => ({ jobKey: mailId, maxAttempts: 2 * MAIL_ATTEMPTS });

/** Queues the job that sends an email which waits. */
export const enqueueMail = (tx: Db, mailId: string) => enqueue(tx, SendMail, { mailId }, jobOptions(mailId));

/**
 * Lets a failed email wait again, with the attempts of a new one. At another address it gets a new id, because its provider
 * may know the old one together with the old address. Returns its id.
 */
export async function repeatFailedMail(
  tx: Tx,
  mailId: string,
  { to, refs }: { to: string; refs: MailRefs },
): Promise<string> {
  const newMailId = newId("mail");
  const [mail] = await tx.execute<{ id: string }>(sql`
    update mails set id = case when to_address = ${to} then id else ${newMailId} end, to_address = ${to},
      refs = ${JSON.stringify(refs)}::jsonb, state = 'queued', attempts = 0, last_error = null, failed_at = null
    where id = ${mailId} and state = 'failed' returning id`);
  if (!mail) throw new Error(`the email ${mailId} has not failed`);
  await enqueueMail(tx, mail.id);
  return mail.id;
}

/** Queues a new job for every email that lost its job (docs/reliability.md#promises). Returns their ids. */
export async function requeueLostMails(): Promise<string[]> {
  const lost = await db.execute<{ id: string }>(sql`
    select m.id from mails m
    where m.state = 'queued' and m.created_at < shop_now() - make_interval(mins => ${LOST_AFTER_MINUTES})
      and not exists (select from graphile_worker.jobs j where j.key = m.id and j.attempts < j.max_attempts)
    order by m.created_at, m.id limit ${BATCH}`);
  for (const { id } of lost) await enqueueMail(db, id);
  return lost.map(({ id }) => id);
}

/**
 * Queues the emails of an order again that were dropped, because what locked its codes has ended; to its delivery address,
 * which may have changed since. Equal references give an equal email, and an email whose codes are refunded by now is
 * dropped again.
 */
export async function requeueDroppedMails(tx: Tx, event: MailEvent, orderId: string): Promise<void> {
  const dropped = await tx.execute<{ id: string }>(sql`
    update mails m set state = 'queued', to_address = o.send_email from orders o
    where m.event = ${event} and m.state = 'dropped' and m.refs->>'orderId' = ${orderId} and o.id = ${orderId}
    returning m.id`);
  for (const { id } of dropped) await enqueueMail(tx, id);
}

/**
 * Sends the queued emails of an order to its new delivery address, because what they hold must not reach the old one. Each
 * gets a new id: its provider may know the old one together with the old address, and would refuse to send it to another.
 */
export async function readdressQueuedMails(
  tx: Tx,
  { orderId, from, to }: { orderId: string; from: string; to: string },
): Promise<void> {
  const queued = await tx.execute<{ id: string }>(sql`
    select m.id from mails m join orders o on o.id = ${orderId}
    where m.state = 'queued' and m.to_address = ${from} and m.event <> 'email-changed'
      and (m.order_number = o.order_number or m.refs->>'orderId' = o.id) for update of m`);
  for (const { id } of queued) {
    const newMailId = newId("mail");
    await tx.execute(sql`update mails set id = ${newMailId}, to_address = ${to} where id = ${id}`);
    await enqueueMail(tx, newMailId);
  }
}

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

/** Retries the emails that failed during an outage of the provider, because their backoff has grown long. */
export async function retryDeferredMails(): Promise<number> {
  const deferred = await db.execute<{ id: string }>(sql`
    select m.id from mails m
    where m.state = 'queued' and exists (select from mails s where s.sent_at > m.failed_at)
      and not exists (select from mails s where s.sent_at > m.failed_at - make_interval(mins => ${OUTAGE_MINUTES})
        and s.sent_at <= m.failed_at)
      and exists (select from graphile_worker.jobs j where j.key = m.id and j.run_at > now())
    order by m.created_at, m.id limit ${BATCH}`);
  for (const { id } of deferred) await enqueueMail(db, id);
  return deferred.length;
}
