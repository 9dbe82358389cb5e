import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { instant } from "@/lib/platform/instant";
import type { ConversationView } from "./contract";
import { SHOWN_MESSAGES } from "./rules";

type Row = Omit<ConversationView, "messages" | "created_at" | "last_at"> & {
  created_at: string;
  last_at: string;
};
type MessageRow = ConversationView["messages"][number] & { at: string; staff: string | null };

/** The newest messages of a conversation, oldest first; `staff`: the address of who answered, for staff. */
export async function listMessages(conversationId: string) {
  const rows = await db.execute<MessageRow>(sql`
    select m.id as message_id, m.author, m.text, m.created_at as at,
      (select u.email from users u where u.id = m.staff_id) as staff
    from (select * from conversation_messages where conversation_id = ${conversationId}
      order by created_at desc, id desc limit ${SHOWN_MESSAGES}) m order by m.created_at, m.id`);
  return rows.map((row) => ({ ...row, at: instant(row.at) }));
}

/** A conversation of the viewer with its messages; null when the viewer has no such conversation. */
export async function findConversation(viewer: UserViewer, id: string): Promise<ConversationView | null> {
  const [row] = await db.execute<Row>(sql`
    select id as conversation_id, state, order_id, order_number, created_at, last_at
    from conversations where id = ${id} and user_id = ${viewer.userId}`);
  if (!row) return null;
  const messages = await listMessages(id);
  return {
    ...row,
    created_at: instant(row.created_at),
    last_at: instant(row.last_at),
    messages: messages.map(({ staff: _, ...message }) => message),
  };
}

/** @throws ShopError conversation_unknown: the viewer has no such conversation */
export async function getConversation(viewer: UserViewer, id: string): Promise<ConversationView> {
  const found = await findConversation(viewer, id);
  if (!found) throw new ShopError("conversation_unknown");
  return found;
}
