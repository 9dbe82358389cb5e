import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { MAIL_TOPICS, SUBSCRIPTION_TOPICS } from "@/lib/notifications/rules";
import { unsubscribeEmail } from "@/lib/notifications/subscriptions/commands";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { UpdateNotificationsInput } from "./contract";

/**
 * Turns kinds of bulk email to the viewer's own address on or off. No confirmation email is needed, because the
 * address is verified; an unverified one can only turn off. Also sets the language of existing subscriptions when
 * given.
 * @throws ShopError email_unverified
 */
export async function changeNotifications(
  tx: Tx,
  viewer: UserViewer,
  input: UpdateNotificationsInput,
): Promise<void> {
  const email = viewer.email.toLowerCase();
  const wanted = MAIL_TOPICS.filter((topic) => input[topic] === true);
  const unwanted = MAIL_TOPICS.filter((topic) => input[topic] === false);
  if (wanted.length > 0 && !viewer.emailVerified) throw new ShopError("email_unverified");
  if (input.locale) await writeIn(tx, viewer, input.locale);
  if (unwanted.length > 0) await unsubscribeEmail(tx, email, unwanted);
  for (const topic of wanted) {
    await tx.execute(sql`delete from mail_optouts where email = ${email} and topic = ${topic}`);
    const subscribed = SUBSCRIPTION_TOPICS.find((known) => known === topic);
    if (subscribed) await subscribeProved(tx, viewer, subscribed);
  }
}

/** Sets the language of the account's wait-list entries and, for a verified address, its subscriptions. */
async function writeIn(tx: Tx, { userId, email, emailVerified }: UserViewer, locale: Locale): Promise<void> {
  await tx.execute(
    sql`update wait_list set locale = ${locale} where user_id = ${userId} and state = 'waiting'`,
  );
  if (emailVerified)
    await tx.execute(sql`
      update subscriptions set locale = ${locale} where email = ${email.toLowerCase()} and state = 'confirmed'`);
}

async function subscribeProved(tx: Tx, { email, locale }: UserViewer, topic: string): Promise<void> {
  await tx.execute(sql`
    insert into subscriptions as s (id, email, topic, locale, state, confirmed_at)
    values (${newId("sub")}, ${email.toLowerCase()}, ${topic}, ${locale}, 'confirmed', shop_now())
    on conflict (email, topic) do update
      set state = 'confirmed', confirmed_at = shop_now(), ended_at = null, locale = excluded.locale
    where s.state <> 'confirmed'`);
}
