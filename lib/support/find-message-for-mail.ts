import { sql } from "drizzle-orm";
import { db } from "@/db/client";

type MailedMessage = {
  reference: string;
  /** the conversation's first message, whose reference its confirmation named */
  asked: string;
  conversationId: string;
  email: string;
  message: string;
  orderNumber: string | null;
  userId: string | null;
  language: string;
};

/** SQL: the address for answers in a conversation `c`: the typed one, else the account's current one. */
export const ANSWER_ADDRESS_SQL = sql`coalesce(c.email, (select u.email from users u where u.id = c.user_id))`;

/** A message with what an email says about it; null when it was deleted. */
export async function findMessageForMail(id: string): Promise<MailedMessage | null> {
  const [row] = await db.execute<MailedMessage>(sql`
    select m.id as reference, c.id as "conversationId", ${ANSWER_ADDRESS_SQL} as email, m.text as message,
      c.order_number as "orderNumber", c.user_id as "userId", c.locale as language,
      (select f.id from conversation_messages f where f.conversation_id = c.id order by f.created_at, f.id limit 1) as asked
    from conversation_messages m join conversations c on c.id = m.conversation_id where m.id = ${id}`);
  return row ?? null;
}
