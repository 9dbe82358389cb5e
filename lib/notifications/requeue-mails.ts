import { sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { enqueueMail } from "./queue-mail";
import type { MailEvent } from "./rules";

/** An email is sent within seconds; one that is queued for longer has lost its job or waits for a retry. */
const LOST_AFTER_MINUTES = 5;
const BATCH = 500;
/** Without any sent email in this time before a failure, the failure counts as an outage of the provider. */
const OUTAGE_MINUTES = 5;

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
 * Queues the dropped emails of an order again after its codes were unlocked, to its current delivery address. Equal
 * references give an equal email, and an email whose codes are refunded by now is dropped again.
 */
export async function requeueDroppedMails(tx: Tx, event: MailEvent, orderId: string): Promise<void> {
  const dropped = await tx.execute<{ id: string }>(sql`
    update mails m set state = 'queued', to_address = o.send_email from orders o
    where m.event = ${event} and m.state = 'dropped' and m.refs->>'orderId' = ${orderId} and o.id = ${orderId}
    returning m.id`);
  for (const { id } of dropped) await enqueueMail(tx, id);
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
