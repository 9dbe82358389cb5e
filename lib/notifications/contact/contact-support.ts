import { eq } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import { contactMessages } from "@/db/schema/notifications";
import { queueMail } from "@/lib/notifications/queue-mail";
import { isWithinMailBudget, toMailSender } from "@/lib/notifications/take-mail-budget";
import type { Viewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { DEFAULT_LOCALE, type Locale } from "@/lib/platform/i18n/locales";
import { supportAddress } from "@/lib/platform/support-address";
import type { ContactInput, ContactReceived } from "./contract";

/**
 * Stores a message and mails it to the support's address; the sender gets a confirmation without anything that was
 * typed, to an address that no one has verified only within the mail budget (docs/product.md#814-emails). A message
 * with the hidden field filled is answered alike and left out.
 */
export async function contactSupport(
  viewer: Viewer,
  { email, message, order_number, website }: ContactInput,
  locale: Locale,
  ip: string | undefined,
): Promise<ContactReceived> {
  const id = newId("msg");
  if (website) return { reference: id };
  await transaction(async (tx) => {
    const userId = viewer.kind === "user" ? viewer.userId : null;
    await tx
      .insert(contactMessages)
      .values({ id, email, message, orderNumber: order_number || null, userId, locale });
    const refs = { contactId: id };
    const to = supportAddress();
    await queueMail(tx, { event: "contact", to, locale: DEFAULT_LOCALE, refs, dedupeKey: `contact:${id}` });
    const isOwn = viewer.kind === "user" && viewer.emailVerified && viewer.email.toLowerCase() === email;
    if (!isOwn && !(await isWithinMailBudget(tx, toMailSender(viewer, ip), email))) return;
    const dedupeKey = `contact-received:${id}`;
    await queueMail(tx, { event: "contact-received", to: email, locale, refs, dedupeKey });
  });
  return { reference: id };
}

/** A message to support; null when it was deleted. */
export async function findContactMessage(id: string) {
  const [row] = await db.select().from(contactMessages).where(eq(contactMessages.id, id));
  return row ?? null;
}
