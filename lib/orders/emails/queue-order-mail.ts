import { and, eq, isNotNull } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { users } from "@/db/schema/accounts";
import { type MailRefs, queueMail } from "@/lib/notifications/queue-mail";
import type { MailEvent } from "@/lib/notifications/rules";
import type { Locale } from "@/lib/platform/i18n/locales";

/** Whether the buyer's email is verified: an unverified one receives no email about an unpaid order. */
export const isBuyerVerified = async (tx: Tx, userId: string): Promise<boolean> =>
  (await tx.$count(users, and(eq(users.id, userId), isNotNull(users.emailVerifiedAt)))) > 0;

/** Queues an email to an order's delivery address, in the order's language and time zone; at most one per `dedupeKey`. */
export async function queueOrderMail(
  tx: Tx,
  { id: orderId, sendEmail: to, locale }: { id: string; sendEmail: string; locale: Locale },
  event: MailEvent,
  refs: MailRefs,
  dedupeKey: string,
): Promise<void> {
  await queueMail(tx, { event, to, locale, orderId, refs, dedupeKey });
}
