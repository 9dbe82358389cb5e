import { and, eq, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import { type Tx, transaction } from "@/db/client";
import { mailOptouts, subscriptions } from "@/db/schema/notifications";
import { queueMail } from "@/lib/notifications/commands";
import { isWithinMailBudget, type MailSender } from "@/lib/notifications/commands-budget";
import type {
  SubscribeInput,
  SubscriptionView,
  UnsubscribeInput,
  UnsubscribeView,
} from "@/lib/notifications/contract";
import { REQUESTED_AT_MS } from "@/lib/notifications/emails/queries";
import {
  CONFIRM_AGAIN_MINUTES,
  CONFIRM_DAYS,
  CONFIRMS_A_DAY,
  type LinkScope,
  MAIL_TOPICS,
  type MailTopic,
} from "@/lib/notifications/rules";
import { emailIdentity } from "@/lib/platform/auth/email-identity";
import { createSignedToken, verifySignedToken } from "@/lib/platform/auth/signed-link";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { findUnsubscribeLink } from "./queries";

/**
 * Mails the confirmation link (double opt-in). The response is the same for new, pending and subscribed addresses, and
 * above the limits.
 */
export async function subscribe(
  { email, topic }: SubscribeInput,
  locale: Locale,
  sender: MailSender = {},
): Promise<void> {
  await transaction(async (tx) => {
    const [row] = await tx.execute<{ id: string; requested_at: string }>(sql`
      insert into subscriptions (id, email, topic, locale) values (${newId("sub")}, ${email}, ${topic}, ${locale})
      on conflict (email, topic) do update
        set state = 'pending', locale = excluded.locale, requested_at = shop_now(), ended_at = null
        where subscriptions.state = 'ended' or (subscriptions.state = 'pending'
          and subscriptions.requested_at < shop_now() - make_interval(mins => ${CONFIRM_AGAIN_MINUTES}))
      returning subscriptions.id, ${REQUESTED_AT_MS} as requested_at`);
    if (!row || !(await isWithinLimit(tx, "subscription", sender, email))) return;
    await queueMail(tx, {
      event: "subscription-confirm",
      to: email,
      locale,
      refs: { subscriptionId: row.id, asked: Number(row.requested_at) },
      dedupeKey: `subscription:${row.id}:${row.requested_at}`,
    });
  });
}

/** Counts an email to an address; false above a limit, without an error to the requester. */
const isWithinLimit = (tx: Tx, name: string, sender: MailSender, to: string): Promise<boolean> =>
  isWithinMailBudget(tx, sender, to, [
    { name, who: emailIdentity(to), limit: CONFIRMS_A_DAY, seconds: 86_400 },
  ]);

/** The token of a confirmation link; valid for one subscription request, for CONFIRM_DAYS. */
export const confirmToken = (subscriptionId: string, requestedAt: number) =>
  createSignedToken("subscription-confirm", { id: subscriptionId, asked: requestedAt });

const ConfirmPayload = z.object({ id: z.string(), asked: z.number() });

/**
 * Confirms a subscription by its link; repeating it changes nothing.
 * @throws ShopError link_invalid: unknown, expired, or unsubscribed
 */
export async function confirmSubscription(token: string): Promise<SubscriptionView> {
  const payload = ConfirmPayload.safeParse(verifySignedToken("subscription-confirm", token));
  if (!payload.success) throw new ShopError("link_invalid");
  const { id, asked: requestedAt } = payload.data;
  return transaction(async (tx) => {
    const [row] = await tx.execute<SubscriptionView>(sql`
      update subscriptions set state = 'confirmed', confirmed_at = coalesce(confirmed_at, shop_now())
      where id = ${id} and state <> 'ended' and ${REQUESTED_AT_MS} = ${requestedAt}
        and requested_at > shop_now() - make_interval(days => ${CONFIRM_DAYS})
      returning topic, email`);
    if (!row) throw new ShopError("link_invalid");
    await tx.delete(mailOptouts).where(isOptout(row.email, row.topic));
    return row;
  });
}

/** The token of an unsubscribe link for one kind of email or `all`; it never expires. */
export const unsubscribeToken = (email: string, topic: LinkScope) =>
  createSignedToken("unsubscribe", { email: email.toLowerCase(), topic });

/**
 * Unsubscribes the address of a signed link from a kind of email or all. With an address alone it mails the link, up to
 * CONFIRMS_A_DAY times and only to addresses that receive bulk email.
 * @throws ShopError link_invalid, invalid_input
 */
export async function unsubscribe(
  input: UnsubscribeInput,
  locale: Locale,
  sender: MailSender = {},
): Promise<UnsubscribeView> {
  if (input.token) {
    const link = findUnsubscribeLink(input.token);
    if (!link) throw new ShopError("link_invalid");
    const topics = input.all || link.topic === "all" ? [...MAIL_TOPICS] : [link.topic];
    await transaction((tx) => unsubscribeEmail(tx, link.email, topics));
    return { state: "ended", topics };
  }
  if (!input.email) throw new ShopError("email_invalid");
  await mailUnsubscribeLink(input.email, locale, sender);
  return { state: "sent", topics: [] };
}

/** Unsubscribes an address from kinds of bulk email and ends its subscriptions and wait-list entries of these kinds. */
export async function unsubscribeEmail(tx: Tx, email: string, topics: readonly MailTopic[]): Promise<void> {
  if (topics.length === 0) return;
  for (const topic of topics) await tx.insert(mailOptouts).values({ email, topic }).onConflictDoNothing();
  await tx.execute(sql`
    update subscriptions set state = 'ended', ended_at = shop_now()
    where email = ${email} and state <> 'ended' and topic in ${topics}`);
  if (topics.includes("wait_list"))
    await tx.execute(sql`
      update wait_list set state = 'left', ended_at = shop_now()
      where lower(email) = ${email} and state = 'waiting'`);
}

/** The opt-out of an address, in lower case, from a kind of bulk email. */
export const isOptout = (email: string, topic: MailTopic) =>
  and(eq(mailOptouts.email, email), eq(mailOptouts.topic, topic));

/** Mails an unsubscribe link for all kinds, because the reader may not know which list they are on. */
async function mailUnsubscribeLink(email: string, locale: Locale, sender: MailSender): Promise<void> {
  await transaction(async (tx) => {
    const [recipient] = await tx.execute(sql`
      select 1 where exists (select from subscriptions where email = ${email} and state = 'confirmed')
        or exists (select from wait_list where lower(email) = ${email} and state = 'waiting')
        or exists (select from users u join wishes w on w.user_id = u.id
          where lower(u.email) = ${email} and u.email_verified_at is not null)`);
    if (!recipient || !(await isWithinLimit(tx, "unsubscribe", sender, email))) return;
    await queueMail(tx, {
      event: "unsubscribe-link",
      to: email,
      locale,
      refs: { email },
      dedupeKey: `unsubscribe:${newId("link")}`,
    });
  });
}

/** A user changed their email from `from` to `to` (verified); both in lower case. */
export type EmailChange = { userId: string; from: string; to: string };

/** Moves wait-list entries to a user's new address, or ends them when that address has unsubscribed. */
export async function moveWaitList(tx: Tx, { userId, from, to }: EmailChange): Promise<void> {
  const optedOut = sql`exists (select from mail_optouts where email = ${to} and topic = 'wait_list')`;
  await tx.execute(sql`
    update wait_list set email = ${to}, state = case when ${optedOut} then 'left' else state end,
      ended_at = case when ${optedOut} then shop_now() end
    where user_id = ${userId} and state = 'waiting' and lower(email) = ${from}`);
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
        and exists (select from wait_list where lower(email) = ${to} and state = 'waiting'))
    on conflict do nothing`);
}

/** Deletes the settings of the given addresses (in lower case) when their account is deleted. */
export async function deleteSubscriptions(tx: Tx, emails: readonly string[]): Promise<void> {
  await tx.delete(subscriptions).where(inArray(subscriptions.email, emails));
  await tx.delete(mailOptouts).where(inArray(mailOptouts.email, emails));
}
