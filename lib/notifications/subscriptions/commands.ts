import { sql } from "drizzle-orm";
import { z } from "zod";
import { type Tx, transaction } from "@/db/client";
import { queueMail } from "@/lib/notifications/commands";
import type {
  SubscribeInput,
  SubscriptionView,
  UnsubscribeInput,
  UnsubscribeView,
} from "@/lib/notifications/contract";
import {
  CONFIRM_AGAIN_MINUTES,
  CONFIRM_DAYS,
  CONFIRMS_A_DAY,
  type LinkScope,
  MAIL_TOPICS,
  type MailTopic,
} from "@/lib/notifications/rules";
import { createSignedToken, verifySignedToken } from "@/lib/platform/auth/signed-link";
import { newId } from "@/lib/platform/crypto/ids";
import { isShopError, ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { takeRateLimit } from "@/lib/platform/rate-limit";
import { findUnsubscribeLink } from "./queries";

/**
 * Creates a subscription and mails the confirmation link (double opt-in). The answer is the same for new, pending and
 * subscribed addresses.
 */
export async function subscribe({ email, topic }: SubscribeInput, locale: Locale): Promise<void> {
  const counter = { name: "subscription", who: email, limit: CONFIRMS_A_DAY, seconds: 86_400 };
  await transaction(async (tx) => {
    const [row] = await tx.execute<{ id: string; asked: string }>(sql`
      insert into subscriptions as s (id, email, topic, locale) values (${newId("sub")}, ${email}, ${topic}, ${locale})
      on conflict (email, topic) do update set state = 'pending', locale = excluded.locale,
        requested_at = shop_now(), ended_at = null
      where s.state <> 'confirmed'
        and (s.state = 'ended' or s.requested_at < shop_now() - make_interval(mins => ${CONFIRM_AGAIN_MINUTES}))
      returning id, (extract(epoch from requested_at) * 1000)::bigint::text as asked`);
    if (!row || !(await hasRoom(counter))) return;
    await queueMail(tx, {
      event: "subscription-confirm",
      to: email,
      locale,
      refs: { subscriptionId: row.id, asked: Number(row.asked) },
      dedupeKey: `subscription:${row.id}:${row.asked}`,
    });
  });
}

/** Silently stops after too many emails to one address a day. */
async function hasRoom(counter: Parameters<typeof takeRateLimit>[0][number]): Promise<boolean> {
  try {
    await takeRateLimit([counter], { closed: true });
    return true;
  } catch (error) {
    if (isShopError(error, "too_many_requests")) return false;
    throw error;
  }
}

/** The token of a confirmation link: valid for one request, seven days. */
export const confirmToken = (subscriptionId: string, asked: number) =>
  createSignedToken("subscription-confirm", { id: subscriptionId, asked });

const ConfirmFacts = z.object({ id: z.string(), asked: z.number() });

/**
 * Confirms a subscription by its link; repeating it changes nothing.
 * @throws ShopError link_invalid: unknown, expired, or unsubscribed
 */
export async function confirmSubscription(token: string): Promise<SubscriptionView> {
  const facts = ConfirmFacts.safeParse(verifySignedToken("subscription-confirm", token));
  if (!facts.success) throw new ShopError("link_invalid");
  const { id, asked } = facts.data;
  return transaction(async (tx) => {
    const [row] = await tx.execute<SubscriptionView>(sql`
      update subscriptions set state = 'confirmed', confirmed_at = coalesce(confirmed_at, shop_now())
      where id = ${id} and state <> 'ended' and (extract(epoch from requested_at) * 1000)::bigint = ${asked}
        and requested_at > shop_now() - make_interval(days => ${CONFIRM_DAYS})
      returning topic, email`);
    if (!row) throw new ShopError("link_invalid");
    await tx.execute(sql`delete from mail_optouts where email = ${row.email} and topic = ${row.topic}`);
    return { topic: row.topic, email: row.email };
  });
}

/** The token of an unsubscribe link: for the email's own kind, or for all when requested; it never expires. */
export const unsubscribeToken = (email: string, topic: LinkScope) =>
  createSignedToken("unsubscribe", { email: email.toLowerCase(), topic });

/**
 * Unsubscribes the address of a signed link from a kind of email or all. With an address alone it mails the link, a
 * few times a day at most and only to addresses that receive email.
 * @throws ShopError link_invalid, invalid_input
 */
export async function unsubscribe(input: UnsubscribeInput, locale: Locale): Promise<UnsubscribeView> {
  if (input.token) {
    const link = findUnsubscribeLink(input.token);
    if (!link) throw new ShopError("link_invalid");
    const topics = input.all || link.topic === "all" ? [...MAIL_TOPICS] : [link.topic];
    await transaction((tx) => unsubscribeEmail(tx, link.email, topics));
    return { state: "ended", topics };
  }
  if (!input.email) throw new ShopError("email_invalid");
  await mailUnsubscribeLink(input.email, locale);
  return { state: "sent", topics: [] };
}

/** Unsubscribes an address from kinds of bulk email and ends what it subscribed to. */
export async function unsubscribeEmail(tx: Tx, email: string, topics: readonly MailTopic[]): Promise<void> {
  const list = sql`(select jsonb_array_elements_text(${JSON.stringify(topics)}::jsonb))`;
  await tx.execute(sql`
    insert into mail_optouts (email, topic)
    select ${email}, topic from jsonb_array_elements_text(${JSON.stringify(topics)}::jsonb) as t(topic)
    on conflict do nothing`);
  await tx.execute(sql`
    update subscriptions set state = 'ended', ended_at = shop_now()
    where email = ${email} and state <> 'ended' and topic in ${list}`);
  if (topics.includes("wait_list"))
    await tx.execute(sql`
      update wait_list set state = 'left', ended_at = shop_now() where lower(email) = ${email} and state = 'waiting'`);
}

/** The requested link covers all kinds, because the reader may not know which list they are on. */
async function mailUnsubscribeLink(email: string, locale: Locale): Promise<void> {
  if (!(await hasRoom({ name: "unsubscribe", who: email, limit: CONFIRMS_A_DAY, seconds: 86_400 }))) return;
  await transaction(async (tx) => {
    const [known] = await tx.execute(sql`
      select 1 where exists (select from subscriptions where email = ${email} and state = 'confirmed')
        or exists (select from wait_list where lower(email) = ${email} and state = 'waiting')`);
    if (!known) return;
    await queueMail(tx, {
      event: "unsubscribe-link",
      to: email,
      locale,
      refs: { email },
      dedupeKey: `unsubscribe:${newId("link")}`,
    });
  });
}
