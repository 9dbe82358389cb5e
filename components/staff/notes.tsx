"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useRef } from "react";
import { useActorName } from "@/components/console/actor";
import { ShortTime } from "@/components/console/time";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/ui/notice";
import { TextArea } from "@/components/ui/text-input";
import { useCall } from "@/components/ui/use-call";
import type { NoteView } from "@/lib/orders/console/contract-detail";
import { api } from "@/lib/platform/api/client";

/** What staff wrote about an order or a customer, and the field for a new note. */
export function Notes({
  path,
  notes,
  mayWrite,
}: {
  /** The call that adds a note: `/admin/orders/ord_x/note`. */
  path: string;
  notes: readonly NoteView[];
  mayWrite: boolean;
}) {
  const t = useTranslations("console.notes");
  const actorName = useActorName();
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const { pending, problem, run } = useCall(network);
  async function add(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("text") ?? "").trim();
    const result = await run((options) => api.post<{ note_id: string }>(path, { text }, options));
    if (!result.ok) return;
    form.current?.reset();
    router.refresh();
  }
  return (
    <div className="flex flex-col gap-4">
      {notes.length === 0 && <p className="text-quiet">{t("empty")}</p>}
      <ul className="flex flex-col gap-3">
        {notes.map(({ note_id, text, written_by, created_at }) => (
          <li key={note_id} className="max-w-text">
            <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
            <p className="text-13 text-quiet">
              {actorName(written_by)} · <ShortTime at={created_at} />
            </p>
          </li>
        ))}
      </ul>
      {mayWrite && (
        <form
          ref={form}
          onSubmit={(event) => void add(event)}
          className="flex max-w-text flex-col items-start gap-3"
        >
          <TextArea
            name="text"
            label={t("label")}
            hint={t("hint")}
            required
            maxLength={2000}
            rows={3}
            className="w-full"
          />
          <ErrorNotice>{problem}</ErrorNotice>
          <Button type="submit" pending={pending}>
            {t("add")}
          </Button>
        </form>
      )}
    </div>
  );
}
