import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { newId } from "@/lib/platform/crypto/ids";

/** A user changed their email from `from` to `to` (verified); both in lower case. */
export type EmailChange = { userId: string; from: string; to: string };

/**
 * Moves wait-list entries to a user's new address. They end where that address has unsubscribed, because only its
 * reader can undo that.
 */
export async function moveWaitList(tx: Tx, { userId, from, to }: EmailChange): Promise<void> {
  const unwanted = sql`exists (select from mail_optouts where email = ${to} and topic = 'wait_list')`;
  await tx.execute(sql`
    update wait_list set email = ${to}, state = case when ${unwanted} then 'left' else state end,
      ended_at = case when ${unwanted} then shop_now() end
    where user_id = ${userId} and state = 'waiting' and lower(email) = ${from}`);
}

/**
 * Moves the settings of a verified address to the new one: confirmed subscriptions move, unsubscribed kinds stay
 * unsubscribed. Settings of the new address win: its unsubscribing ends a moved subscription, and a moved
 * unsubscribing ends none of its own.
 */
export async function moveSubscriptions(tx: Tx, { from, to }: Omit<EmailChange, "userId">): Promise<void> {
  const moved = await tx.execute<{ topic: string; locale: string; created: string; confirmed: string }>(sql`
    delete from subscriptions where email = ${from} and state = 'confirmed'
    returning topic, locale, created_at::text as created, confirmed_at::text as confirmed`);
  // New ids invalidate links and alerts on their way to the old address.
  for (const { topic, locale, created, confirmed } of moved)
    await tx.execute(sql`
      insert into subscriptions as s (id, email, topic, locale, state, created_at, confirmed_at)
      select ${newId("sub")}, ${to}, ${topic}, ${locale}, 'confirmed', ${created}::timestamptz, ${confirmed}::timestamptz
      where not exists (select from mail_optouts where email = ${to} and topic = ${topic})
      on conflict (email, topic) do update set state = 'confirmed', confirmed_at = excluded.confirmed_at
        where s.state = 'pending'`);
  await tx.execute(sql`
    insert into mail_optouts (email, topic)
    select ${to}, o.topic from mail_optouts o where o.email = ${from}
      and not exists (select from subscriptions where email = ${to} and topic = o.topic and state = 'confirmed')
      and not (o.topic = 'wait_list'
        and exists (select from wait_list where lower(email) = ${to} and state = 'waiting'))
    on conflict do nothing`);
}

/** Deletes the settings of the given addresses (in lower case) when their account is deleted. */
export async function deleteSubscriptions(tx: Tx, emails: readonly string[]): Promise<void> {
  const list = sql`(select jsonb_array_elements_text(${JSON.stringify(emails)}::jsonb))`;
  await tx.execute(sql`delete from subscriptions where email in ${list}`);
  await tx.execute(sql`delete from mail_optouts where email in ${list}`);
}
