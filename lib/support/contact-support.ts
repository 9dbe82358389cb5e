import { sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import { conversationMessages, conversations } from "@/db/schema/support";
import { queueMail } from "@/lib/notifications/queue-mail";
import { isWithinMailBudget, toMailSender } from "@/lib/notifications/take-mail-budget";
import type { Viewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { DEFAULT_LOCALE, type Locale } from "@/lib/platform/i18n/locales";
import { supportAddress } from "@/lib/platform/support-address";
import type { ContactInput, ContactReceived } from "./contract";
import { maskMessage } from "./mask-message";

/**
 * Starts a conversation with the shop's support, which gets an email. The sender gets a confirmation that repeats
 * nothing that was typed; to an unverified address only within the mail budget
 * (docs/product.md#817-messages-to-support). A message with the honeypot field filled in gets the same response and is
 * discarded.
 */
export async function contactSupport(
  viewer: Viewer,
  { email, message, order_number, website }: ContactInput,
  locale: Locale,
  ip: string | undefined,
): Promise<ContactReceived> {
  const [id, messageId] = [newId("cnv"), newId("msg")];
  const user = viewer.kind === "user" ? viewer : null;
  const received = { reference: messageId, conversation_id: user && id };
  if (website) return received;
  const isOwn = user?.email.toLowerCase() === email;
  const order = user && order_number ? await findOwnOrder(user.userId, order_number) : null;
  const text = await maskMessage(message, { userId: user?.userId, orderId: order?.id });
  await transaction(async (tx) => {
    await tx.insert(conversations).values({
      id,
      userId: user?.userId,
      email: isOwn ? null : email,
      orderId: order?.id,
      orderNumber: order?.number ?? (order_number || null),
      locale,
    });
    await tx
      .insert(conversationMessages)
      .values({ id: messageId, conversationId: id, author: "customer", text });
    await mailSupport(tx, messageId);
    const isVerified = isOwn && user?.emailVerified === true;
    if (!isVerified && !(await isWithinMailBudget(tx, toMailSender(viewer, ip), email))) return;
    const dedupeKey = `contact-received:${messageId}`;
    const refs = { contactId: messageId };
    await queueMail(tx, { event: "contact-received", to: email, locale, refs, dedupeKey });
  });
  return received;
}

/** Mails a customer's message to the support address. */
export async function mailSupport(tx: Tx, messageId: string): Promise<void> {
  await queueMail(tx, {
    event: "contact",
    to: supportAddress(),
    locale: DEFAULT_LOCALE,
    refs: { contactId: messageId },
    dedupeKey: `contact:${messageId}`,
  });
}

async function findOwnOrder(userId: string, order: string) {
  const [row] = await db.execute<{ id: string; number: string }>(sql`
    select o.id, o.order_number as number from orders o
    where o.user_id = ${userId} and (o.order_number = ${order} or o.id = ${order}) limit 1`);
  return row ?? null;
}
