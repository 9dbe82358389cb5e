import { eq, sql } from "drizzle-orm";
import { shopNow, transaction } from "@/db/client";
import { conversationMessages, conversations } from "@/db/schema/support";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { mailSupport } from "./contact-support";
import type { ConversationView, ReplyInput } from "./contract";
import { findConversation } from "./find-conversation";
import { maskMessage } from "./mask-message";

/**
 * Adds a message to the viewer's conversation, which then waits for an answer again, even if it was closed. Later
 * answers are in the language of this message.
 * @throws ShopError conversation_unknown
 */
export async function replyToSupport(
  viewer: UserViewer,
  { conversation_id: id, message }: ReplyInput,
  locale: Locale,
): Promise<ConversationView> {
  const found = await findConversation(viewer, id);
  if (!found) throw new ShopError("conversation_unknown");
  const text = await maskMessage(message, { userId: viewer.userId, orderId: found.order_id ?? undefined });
  const messageId = newId("msg");
  await transaction(async (tx) => {
    const [kept] = await tx
      .update(conversations)
      .set({
        state: "waiting",
        waitingSince: sql`coalesce(waiting_since, shop_now())`,
        lastAt: shopNow,
        closedAt: null,
        locale,
      })
      .where(eq(conversations.id, id))
      .returning({ id: conversations.id });
    if (!kept) throw new ShopError("conversation_unknown");
    await tx
      .insert(conversationMessages)
      .values({ id: messageId, conversationId: id, author: "customer", text });
    await mailSupport(tx, messageId);
  });
  return (await findConversation(viewer, id))!;
}
