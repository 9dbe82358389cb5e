import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { mailOptouts } from "@/db/schema/notifications";
import { MAIL_TOPICS, SUBSCRIPTION_TOPICS } from "@/lib/notifications/rules";
import { isOptout } from "@/lib/notifications/subscriptions/opt-outs";
import { unsubscribeEmail } from "@/lib/notifications/subscriptions/unsubscribe";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { UpdateNotificationsInput } from "./contract";

/**
 * Turns kinds of bulk email to the viewer's own verified address on or off, and sets their language.
 * @throws ShopError email_unverified
 */
export async function changeNotifications(tx: Tx, viewer: UserViewer, input: UpdateNotificationsInput) {
  const email = viewer.email.toLowerCase();
  const enabled = MAIL_TOPICS.filter((topic) => input[topic] === true);
  const disabled = MAIL_TOPICS.filter((topic) => input[topic] === false);
  if (enabled.length > 0 && !viewer.emailVerified) throw new ShopError("email_unverified");
  if (input.locale) await setMailLocale(tx, viewer, input.locale);
  if (disabled.length > 0) await unsubscribeEmail(tx, email, disabled);
  for (const topic of enabled) {
    await tx.delete(mailOptouts).where(isOptout(email, topic));
    const subscriptionTopic = SUBSCRIPTION_TOPICS.find((candidate) => candidate === topic);
    if (subscriptionTopic) await subscribeVerified(tx, viewer, subscriptionTopic);
  }
}

/** Sets the language of the account's wait-list entries and, for a verified address, its subscriptions. */
async function setMailLocale(tx: Tx, { userId, email, emailVerified }: UserViewer, locale: Locale) {
  await tx.execute(
    sql`update wait_list set locale = ${locale} where user_id = ${userId} and outcome is null`,
  );
  if (emailVerified)
    await tx.execute(sql`
      update subscriptions set locale = ${locale} where email = ${email.toLowerCase()} and state = 'confirmed'`);
}

async function subscribeVerified(
  tx: Tx,
  { email, locale }: UserViewer,
  topic: (typeof SUBSCRIPTION_TOPICS)[number],
): Promise<void> {
  await tx.execute(sql`
    insert into subscriptions as s (id, email, topic, locale, state, confirmed_at)
    values (${newId("sub")}, ${email.toLowerCase()}, ${topic}, ${locale}, 'confirmed', shop_now())
    on conflict (email, topic) do update
      set locale = excluded.locale, state = 'confirmed', confirmed_at = shop_now(), ended_at = null
      where s.state <> 'confirmed'`);
}
