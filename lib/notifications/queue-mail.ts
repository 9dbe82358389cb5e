import { type Db, statements, type Tx } from "@/db/client";
import { newId } from "@/lib/platform/crypto/ids";
import { enqueue, enqueueAllSql } from "@/lib/platform/jobs/queue";
import { SendMail } from "./contract";
import { MAIL_ATTEMPTS, type MailEvent } from "./rules";

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
export const queueMail = async (tx: Tx, mail: QueueMailInput): Promise<string | null> =>
  (await queueMails(tx, [mail]))[0] ?? null;

/** Queues emails in the transaction that causes them, with one statement. Returns the ids of those whose `dedupeKey` is new. */
export async function queueMails(tx: Tx, mails: readonly QueueMailInput[]): Promise<string[]> {
  const rows = mails.map((mail) => ({ ...mail, id: newId("mail") }));
  const jobs = rows.map(({ id }) => ({ jobKey: id, payload: { mailId: id } }));
  const sql = statements(tx);
  const queued = await sql<{ id: string }[]>`
    with mail as (
      insert into mails (id, event, to_address, locale, order_number, time_zone, refs, dedupe_key)
      select r.id, r.event, r."to", r.locale, o.order_number, coalesce(o.time_zone, (
          select s.time_zone from sessions s join users u on u.id = s.user_id
          where lower(u.email) = lower(r."to") and s.time_zone is not null order by s.seen_at desc limit 1), r."timeZone"), r.refs, r."dedupeKey"
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        r(id text, event text, "to" text, locale text, "orderId" text, "timeZone" text, refs jsonb, "dedupeKey" text)
      left join orders o on o.id = r."orderId" order by r."dedupeKey"
      on conflict (dedupe_key) do nothing returning id)
    select job.key as id from ${enqueueAllSql(tx, SendMail, jobs, JOB_OPTIONS, sql`select id from mail`)} job`;
  return queued.map(({ id }) => id);
}

/** More attempts than MAIL_ATTEMPTS, because crashes use some up; `mails.attempts` counts failures and decides. */
const JOB_OPTIONS = { maxAttempts: 2 * MAIL_ATTEMPTS };

/** Queues the job that sends an email which waits. */
export const enqueueMail = (tx: Db, mailId: string) =>
  enqueue(tx, SendMail, { mailId }, { ...JOB_OPTIONS, jobKey: mailId });
