import { eq } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { conversationMessages, conversations } from "@/db/schema/support";
import { queueMail } from "@/lib/notifications/queue-mail";
import { audit } from "@/lib/platform/audit";
import { requireShown } from "@/lib/platform/console/shown";
import type { SeenVersion } from "@/lib/platform/console/version";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { hasUnfilledVariable } from "@/lib/support/rules";
import type { AnswerConversationInput, ConsoleConversationDetail } from "./contract";
import { getConsoleConversation, lockConversation } from "./get-console-conversation";

type Actor = { userId: string };

/** @throws ShopError conversation_unknown; revision_conflict: somebody has written or answered since it was shown */
async function lockShown(tx: Tx, id: string, { version }: SeenVersion) {
  const found = await lockConversation(tx, id);
  if (!found) throw new ShopError("conversation_unknown");
  requireShown(version, found.version);
  return found;
}

/**
 * Answers a customer by email, in the customer's language as staff wrote it, and in the account
 * (docs/product.md#817-messages-to-support).
 * @throws ShopError conversation_unknown, revision_conflict, answer_variable: nothing was filled in for a variable
 */
export async function answerConversation(
  { userId }: Actor,
  id: string,
  { version, message, close }: AnswerConversationInput,
): Promise<ConsoleConversationDetail> {
  if (hasUnfilledVariable(message)) throw new ShopError("answer_variable");
  await transaction(async (tx) => {
    const { email, locale } = await lockShown(tx, id, { version });
    const messageId = newId("msg");
    const answer = {
      id: messageId,
      conversationId: id,
      author: "staff",
      staffId: userId,
      text: message,
    } as const;
    await tx.insert(conversationMessages).values(answer);
    const state = close ? { state: "closed", closedAt: shopNow } : { state: "answered", closedAt: null };
    await tx
      .update(conversations)
      .set({ ...(state as { state: "closed" | "answered" }), waitingSince: null, lastAt: shopNow })
      .where(eq(conversations.id, id));
    await queueMail(tx, {
      event: "contact-answer",
      to: email,
      locale,
      refs: { messageId },
      dedupeKey: `contact-answer:${messageId}`,
    });
    await audit({ actor: userId, action: "conversation.answered", subject: id }, tx);
  });
  return (await getConsoleConversation(id))!;
}

/**
 * Closes a conversation without an answer; nobody is mailed.
 * @throws ShopError conversation_unknown, revision_conflict
 */
export async function closeConversation(
  { userId }: Actor,
  id: string,
  seen: SeenVersion,
): Promise<ConsoleConversationDetail> {
  await transaction(async (tx) => {
    await lockShown(tx, id, seen);
    await tx
      .update(conversations)
      .set({ state: "closed", waitingSince: null, closedAt: shopNow })
      .where(eq(conversations.id, id));
    await audit({ actor: userId, action: "conversation.closed", subject: id }, tx);
  });
  return (await getConsoleConversation(id))!;
}
