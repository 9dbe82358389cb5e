"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useRef, useState } from "react";
import { SMALL_BUTTON } from "@/components/console/record-page";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/ui/notice";
import { useCall } from "@/components/ui/use-call";
import { api } from "@/lib/platform/api/client";
import { type Mentionable, NOTE_MAX } from "@/lib/staff/notes/rules";

/** The beginning of a name that is typed at the end of a text, after @. */
const TYPED_NAME = /(?:^|[\s(（、，。])@([\p{L}\p{N}._+@-]*)$/u;
const MAX_NAMES = 5;

/** A field for a new note about an order or a customer, which offers colleagues after @. */
export function NoteForm({
  path,
  people,
}: {
  /** The call that adds a note: `/admin/orders/ord_x/note`. */
  path: string;
  people: readonly Mentionable[];
}) {
  const t = useTranslations("console.notes");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState("");
  const [typed, setTyped] = useState<string>();
  const { pending, problem, run } = useCall(network);
  const names =
    typed === undefined
      ? []
      : people.filter(({ name }) => name.startsWith(typed.toLowerCase())).slice(0, MAX_NAMES);

  async function add(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!text.trim() || pending) return;
    const result = await run((options) =>
      api.post<{ note_id: string }>(path, { text: text.trim() }, options),
    );
    if (!result.ok) return;
    setText("");
    setTyped(undefined);
    router.refresh();
  }
  function choose(name: string): void {
    const area = field.current;
    const end = area?.selectionStart ?? text.length;
    const start = text.lastIndexOf("@", end - 1);
    setText(`${text.slice(0, start)}@${name} ${text.slice(end)}`);
    setTyped(undefined);
    area?.focus();
  }
  return (
    <form onSubmit={(event) => void add(event)} className="flex flex-col gap-2 pb-1">
      <div className="flex items-end gap-2">
        <label className="min-w-0 flex-1">
          <span className="sr-only">{t("label")}</span>
          <textarea
            ref={field}
            value={text}
            rows={1}
            maxLength={NOTE_MAX}
            placeholder={t("placeholder")}
            aria-describedby={`${id}-hint`}
            className="control field-sizing-content max-h-60 min-h-9 w-full py-1.5 max-[899px]:min-h-11"
            onChange={({ target }) => {
              setText(target.value);
              setTyped(TYPED_NAME.exec(target.value.slice(0, target.selectionStart))?.[1]);
            }}
            onKeyDown={(event) => {
              const [first] = names;
              if (event.key === "Escape" && first) {
                event.stopPropagation();
                setTyped(undefined);
              } else if (event.key === "Tab" && first && !event.shiftKey) {
                event.preventDefault();
                choose(first.name);
              } else if (event.key === "Enter" && (event.metaKey || event.ctrlKey))
                event.currentTarget.form?.requestSubmit();
            }}
          />
        </label>
        <Button type="submit" pending={pending} className={SMALL_BUTTON}>
          {t("add")}
        </Button>
      </div>
      <p id={`${id}-hint`} className={text === "" ? "sr-only" : "text-13 text-quiet"}>
        {t("hint")}
      </p>
      {names.length > 0 && (
        <ul aria-label={t("people")} className="flex flex-wrap gap-1.5">
          {names.map(({ user_id, name, email }) => (
            <li key={user_id}>
              <button
                type="button"
                title={email}
                className="min-h-9 cursor-pointer rounded-control border border-control px-2 text-13 hover:border-ink"
                onClick={() => choose(name)}
              >
                @{name}
              </button>
            </li>
          ))}
        </ul>
      )}
      <ErrorNotice>{problem}</ErrorNotice>
    </form>
  );
}
