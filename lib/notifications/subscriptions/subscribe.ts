import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { db, type Tx, transaction } from "@/db/client";
import { mailOptouts, subscriptions } from "@/db/schema/notifications";
import type { SubscribeInput, SubscriptionView } from "@/lib/notifications/contract";
import { queueMail } from "@/lib/notifications/queue-mail";
import { CONFIRM_AGAIN_MINUTES, CONFIRM_DAYS, CONFIRMS_A_DAY } from "@/lib/notifications/rules";
import { isWithinMailBudget, type MailSender } from "@/lib/notifications/take-mail-budget";
import { emailIdentity } from "@/lib/platform/auth/email-identity";
import { createSignedToken, verifySignedToken } from "@/lib/platform/auth/signed-link";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { isOptout } from "./opt-outs";

/** SQL: when a subscription was requested, in milliseconds since 1970. */
const REQUESTED_AT_MS = sql<string>`(extract(epoch from ${subscriptions.requestedAt}) * 1000)::bigint`;

/** Whether this subscription still waits for its confirmation. */
export async function awaitsConfirmation(subscriptionId: string, requestedAt: number): Promise<boolean> {
  const isAwaited = and(
    eq(subscriptions.id, subscriptionId),
    eq(subscriptions.state, "pending"),
    eq(REQUESTED_AT_MS, requestedAt),
  );
  return (await db.$count(subscriptions, isAwaited)) > 0;
}

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
export const isWithinLimit = (tx: Tx, name: string, sender: MailSender, to: string): Promise<boolean> =>
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
