import { sql } from "drizzle-orm";
import { z } from "zod";
import { type Tx, transaction } from "@/db/client";
import { mailOptouts } from "@/db/schema/notifications";
import type { UnsubscribeInput, UnsubscribeView } from "@/lib/notifications/contract";
import { queueMail } from "@/lib/notifications/queue-mail";
import { LINK_SCOPES, type LinkScope, MAIL_TOPICS, type MailTopic } from "@/lib/notifications/rules";
import type { MailSender } from "@/lib/notifications/take-mail-budget";
import { createSignedToken, verifySignedToken } from "@/lib/platform/auth/signed-link";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { isWithinLimit } from "./subscribe";

const UnsubscribePayload = z.object({ email: z.string(), topic: z.enum(LINK_SCOPES) });

/** The address and kinds of an unsubscribe link; null for an invalid one. */
export function findUnsubscribeLink(token: string): { email: string; topic: LinkScope } | null {
  return UnsubscribePayload.safeParse(verifySignedToken("unsubscribe", token)).data ?? null;
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
      update wait_list set outcome = 'cancelled', ended_at = shop_now()
      where lower(email) = ${email} and outcome is null`);
}

/** Mails an unsubscribe link for all kinds, because the reader may not know which list they are on. */
async function mailUnsubscribeLink(email: string, locale: Locale, sender: MailSender): Promise<void> {
  await transaction(async (tx) => {
    const [recipient] = await tx.execute(sql`
      select 1 where exists (select from subscriptions where email = ${email} and state = 'confirmed')
        or exists (select from wait_list where lower(email) = ${email} and outcome is null)
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
