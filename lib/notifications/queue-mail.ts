import { type Db, statements, type Tx } from "@/db/client";
import { newId } from "@/lib/platform/crypto/ids";
import { enqueue, enqueueSql } from "@/lib/platform/jobs/queue";
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
