import type { Tx } from "@/db/client";
import { type MailRefs, queueMail } from "@/lib/notifications/commands";
import type { MailEvent } from "@/lib/notifications/rules";
import type { Locale } from "@/lib/platform/i18n/locales";

/** Queues an email to an order's delivery address, in the order's language; at most one per `dedupeKey`. */
export async function queueOrderMail(
  tx: Tx,
  { sendEmail: to, locale }: { sendEmail: string; locale: Locale },
  event: MailEvent,
  refs: MailRefs,
  dedupeKey: string,
): Promise<void> {
  await queueMail(tx, { event, to, locale, refs, dedupeKey });
}
