import { eq, inArray, lt, or, sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { deleteInBatches } from "@/db/retention";
import { conversationMessages, conversations } from "@/db/schema/support";
import { ANSWERED_DAYS, CONVERSATION_DAYS } from "./rules";

/** Deletes the conversations of an account that is deleted, and guests' from its verified addresses (in lower case). */
export async function deleteConversationsOf(
  tx: Tx,
  userId: string,
  emails: readonly string[],
): Promise<void> {
  const isFromUser = eq(conversations.userId, userId);
  const due = emails.length > 0 ? or(isFromUser, inArray(conversations.email, [...emails])) : isFromUser;
  await tx
    .delete(conversationMessages)
    .where(
      inArray(
        conversationMessages.conversationId,
        tx.select({ id: conversations.id }).from(conversations).where(due),
      ),
    );
  await tx.delete(conversations).where(due);
}

const before = (days: number) => sql`shop_now() - make_interval(days => ${days})`;

/** Closes answered conversations whose customer has not written for ANSWERED_DAYS. */
export async function closeAnsweredConversations(): Promise<void> {
  await db.execute(sql`
    update conversations set state = 'closed', closed_at = shop_now()
    where state = 'answered' and last_at < ${before(ANSWERED_DAYS)}`);
}

/** Deletes conversations that were closed CONVERSATION_DAYS ago, their messages first. */
export async function deleteOldConversations(): Promise<void> {
  const due = sql`(select id from conversations where state = 'closed' and closed_at < ${before(CONVERSATION_DAYS)})`;
  await deleteInBatches(conversationMessages, sql`conversation_id in ${due}`, sql`created_at`);
  await deleteInBatches(
    conversations,
    sql`state = 'closed' and ${lt(conversations.closedAt, before(CONVERSATION_DAYS))}
      and not exists (select from conversation_messages m where m.conversation_id = conversations.id)`,
    sql`closed_at`,
  );
}
