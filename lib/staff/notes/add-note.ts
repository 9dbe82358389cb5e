import { sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { notes } from "@/db/schema/staff";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import { queueMail } from "@/lib/notifications/queue-mail";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { foldOrderNumber } from "@/lib/platform/fold-text";
import type { NoteAdded } from "@/lib/staff/notes/contract";
import { listMentionable } from "@/lib/staff/notes/list-mentionable";
import { splitMentions } from "@/lib/staff/notes/rules";
import type { NoteSubject } from "@/lib/staff/rules";

/**
 * Adds a note about an order (by id or number) or a customer, and mails those whom it names with @. A note that contains an
 * activation code is refused, so that no code stands outside of the vault.
 * @throws ShopError order_unknown, customer_unknown, note_has_code
 */
export async function addNote(
  { userId }: StaffViewer,
  about: NoteSubject,
  id: string,
  text: string,
): Promise<NoteAdded> {
  return transaction(async (tx) => {
    await requireNoCode(tx, text);
    const subjectId = await findSubject(tx, about, id);
    if (!subjectId) throw new ShopError(about === "order" ? "order_unknown" : "customer_unknown");
    if (about === "order") await requireNoCode(tx, text, { orderId: subjectId });
    const noteId = newId("note");
    await tx.insert(notes).values({ id: noteId, about, subjectId, text, writtenBy: userId });
    await audit({ actor: userId, action: "note.added", subject: subjectId, detail: { note_id: noteId } }, tx);
    await mailMentioned(tx, { userId, about, subjectId, noteId, text });
    return { note_id: noteId };
  });
}

/** Each colleague whom the note names is mailed once, except its author. */
async function mailMentioned(
  tx: Tx,
  note: { userId: string; about: NoteSubject; subjectId: string; noteId: string; text: string },
): Promise<void> {
  if (!note.text.includes("@")) return;
  const parts = splitMentions(note.text, await listMentionable(note.about, tx));
  const ids = new Set(parts.flatMap(({ person }) => person?.user_id ?? []));
  ids.delete(note.userId);
  if (ids.size === 0) return;
  const people = await tx.execute<{ id: string; email: string; locale: string }>(
    sql`select id, email, locale from users where id = any(${sql.param([...ids])}::text[]) order by id`,
  );
  for (const { id, email: to, locale } of people)
    await queueMail(tx, {
      event: "staff-mention",
      to,
      locale,
      refs: { noteId: note.noteId },
      dedupeKey: `staff-mention:${note.noteId}:${id}`,
    });
}

/** The id of the order or account; the account stays locked, so that its erasure deletes the note too. */
async function findSubject(tx: Tx, about: NoteSubject, id: string): Promise<string | undefined> {
  if (about === "order") {
    const [order] = await tx.execute<{ id: string }>(
      sql`select id from orders where id = ${id} or order_number = ${foldOrderNumber(id)} limit 1`,
    );
    return order?.id;
  }
  const [account] = await tx.execute<{ id: string }>(
    sql`select id from users where id = ${id} and deleted_at is null for update`,
  );
  return account?.id;
}
