import { useTranslations } from "next-intl";
import { useActorName } from "@/components/console/actor";
import { ShortTime } from "@/components/console/time";
import { NoteForm } from "@/components/staff/note-form";
import { NoteText } from "@/components/staff/note-text";
import type { NoteView } from "@/lib/orders/console/contract-detail";
import type { Mentionable } from "@/lib/staff/notes/rules";

/** What staff wrote about a customer, and the field for a new note. */
export function Notes({
  path,
  notes,
  people,
  mayWrite,
}: {
  /** The call that adds a note: `/admin/customers/usr_x/note`. */
  path: string;
  notes: readonly NoteView[];
  /** whom notes may name */
  people: readonly Mentionable[];
  mayWrite: boolean;
}) {
  const t = useTranslations("console.notes");
  const actorName = useActorName();
  return (
    <div className="flex flex-col gap-3">
      {mayWrite && <NoteForm path={path} people={people} />}
      {notes.length === 0 && <p className="text-quiet">{t("empty")}</p>}
      <ul className="flex flex-col gap-3">
        {notes.map(({ note_id, text, written_by, created_at }) => (
          <li key={note_id}>
            <NoteText text={text} people={people} />
            <p className="text-13 text-quiet">
              {actorName(written_by)} · <ShortTime at={created_at} />
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
