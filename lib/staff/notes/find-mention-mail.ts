import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { StaffMentionProps } from "@/emails/staff-mention";

/** The email about a note that names a colleague, from its reference; null: the note was deleted. */
export async function findMentionMail(noteId: string): Promise<StaffMentionProps | null> {
  const [row] = await db.execute<{
    by: string;
    text: string;
    about: string;
    id: string;
    name: string | null;
  }>(sql`
    select w.email as by, n.text, n.about, coalesce(o.order_number, n.subject_id) as id, coalesce(o.order_number, c.email) as name
    from notes n join users w on w.id = n.written_by
    left join orders o on n.about = 'order' and o.id = n.subject_id
    left join users c on n.about = 'customer' and c.id = n.subject_id where n.id = ${noteId}`);
  if (!row) return null;
  const { by, text, about, id, name } = row;
  const path = about === "order" ? `/console/orders/${id}` : `/console/customers/${id}`;
  return { by, text, about: name ?? id, path };
}
