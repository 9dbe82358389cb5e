import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { UserViewer } from "@/lib/platform/auth/session";
import { instant } from "@/lib/platform/instant";
import type { ConversationList } from "./contract";
import { SHOWN_CONVERSATIONS } from "./rules";

type Row = ConversationList["items"][number] & { created_at: string; last_at: string };

/** SQL: one value of the newest message of a conversation `c`. */
export const lastMessageSql = (column: string) =>
  sql`(select ${sql.raw(column)} from conversation_messages m where m.conversation_id = c.id order by m.created_at desc, m.id desc limit 1)`;

/** The viewer's conversations with support, those with the newest message first. */
export async function listConversations({ userId }: UserViewer): Promise<ConversationList> {
  const rows = await db.execute<Row>(sql`
    select c.id as conversation_id, c.state, c.order_id, c.order_number, c.created_at, c.last_at,
      ${lastMessageSql("left(m.text, 160)")} as beginning, ${lastMessageSql("m.author")} as last_by
    from conversations c where c.user_id = ${userId} order by c.last_at desc, c.id desc limit ${SHOWN_CONVERSATIONS}`);
  return {
    items: rows.map((row) => ({
      ...row,
      created_at: instant(row.created_at),
      last_at: instant(row.last_at),
    })),
  };
}
