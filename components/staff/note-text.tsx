import { type Mentionable, splitMentions } from "@/lib/staff/notes/rules";

/** A note with those whom it names. */
export function NoteText({ text, people }: { text: string; people: readonly Mentionable[] }) {
  return (
    <p className="max-w-text rounded-control bg-tint px-3 py-1.5 whitespace-pre-wrap wrap-anywhere">
      {splitMentions(text, people).map(({ text: part, person }, i) =>
        person ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their order
          <strong key={i} title={person.email}>
            {part}
          </strong>
        ) : (
          part
        ),
      )}
    </p>
  );
}
