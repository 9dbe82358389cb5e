import { inArray, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { mailOptouts, subscriptions } from "@/db/schema/notifications";
import { newId } from "@/lib/platform/crypto/ids";

/** A user changed their email from `from` to `to` (verified); both in lower case. */
export type EmailChange = { userId: string; from: string; to: string };

/** Moves wait-list entries to a user's new address, or ends them when that address has unsubscribed. */
export async function moveWaitList(tx: Tx, { userId, from, to }: EmailChange): Promise<void> {
  const optedOut = sql`exists (select from mail_optouts where email = ${to} and topic = 'wait_list')`;
  await tx.execute(sql`
    update wait_list set email = ${to}, outcome = case when ${optedOut} then 'cancelled' end,
      ended_at = case when ${optedOut} then shop_now() end
    where user_id = ${userId} and outcome is null and lower(email) = ${from}`);
}

/**
 * Moves the settings of a verified address to the new one: confirmed subscriptions and opt-outs. Settings of the new
 * address take precedence: its opt-out ends a moved subscription, and a moved opt-out ends none of its subscriptions.
 */
export async function moveSubscriptions(tx: Tx, { from, to }: Omit<EmailChange, "userId">): Promise<void> {
  type Moved = { topic: string; locale: string; created: string; confirmed: string };
  const moved = await tx.execute<Moved>(sql`
    delete from subscriptions where email = ${from} and state = 'confirmed'
    returning topic, locale, created_at as created, confirmed_at as confirmed`);
  // New ids invalidate links and queued alerts of the old address.
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
        and exists (select from wait_list where lower(email) = ${to} and outcome is null))
    on conflict do nothing`);
}

/** Deletes the settings of the given addresses (in lower case) when their account is deleted. */
export async function deleteSubscriptions(tx: Tx, emails: readonly string[]): Promise<void> {
  await tx.delete(subscriptions).where(inArray(subscriptions.email, emails));
  await tx.delete(mailOptouts).where(inArray(mailOptouts.email, emails));
}
