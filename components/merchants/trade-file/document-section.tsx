"use client";

import { useTranslations } from "next-intl";
import { useId, useRef, useState } from "react";
import { EffectsDialog } from "@/components/console/effects-dialog";
import { Pill } from "@/components/console/pill";
import { RecordSection, RecordTable } from "@/components/console/record";
import { ShortDate } from "@/components/console/time";
import { useAction } from "@/components/merchants/portal/use-action";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { TextInput } from "@/components/ui/text-input";
import type { TradeFile } from "@/lib/merchants/trade-file/contract";
import {
  DOCUMENT_KINDS,
  DOCUMENT_LIMIT_BYTES,
  DOCUMENT_NAME_MAX,
  DOCUMENT_TYPES,
} from "@/lib/merchants/trade-file/rules";
import { api } from "@/lib/platform/api/client";
import { DOCUMENT_TONES } from "./tones";

const KILOBYTE = 1024;

/** The documents of a trader file by name only, a form for another, and their removal. */
export function DocumentSection({ file }: { file: TradeFile }) {
  const t = useTranslations("console.trade_file");
  const removal = useAction();
  const [removed, setRemoved] = useState<string>();
  return (
    <RecordSection title={t("documents")}>
      <p className="max-w-text pb-4 text-quiet">{t("documents_text")}</p>
      <RecordTable
        label={t("documents")}
        rows={file.documents}
        rowId={({ document_id }) => document_id}
        empty={t("no_documents")}
        columns={[
          { name: t("kind"), cell: ({ kind }) => t(`kinds.${kind}`) },
          { name: t("name"), cell: ({ name }) => name },
          {
            name: t("state"),
            cell: ({ state, note }) => (
              <>
                <Pill tone={DOCUMENT_TONES[state]}>{t(`documentstate.${state}`)}</Pill>
                {note && <span className="block text-13 text-quiet">{note}</span>}
              </>
            ),
          },
          { name: t("size"), end: true, cell: ({ bytes }) => `${Math.ceil(bytes / KILOBYTE)} kB` },
          { name: t("given"), cell: ({ created_at }) => <ShortDate at={created_at} /> },
          {
            name: t("expires"),
            cell: ({ expires_at }) => (expires_at ? <ShortDate at={expires_at} /> : "–"),
          },
          {
            name: t("remove"),
            cell: ({ document_id, name }) => (
              <Button
                look="quiet"
                aria-label={`${t("remove")}: ${name}`}
                onClick={() => {
                  removal.setProblem("");
                  setRemoved(document_id);
                }}
              >
                {t("remove")}
              </Button>
            ),
          },
        ]}
      />
      <AddDocument />
      <EffectsDialog
        open={removed !== undefined}
        title={t("remove_title")}
        effects={[t("remove_text")]}
        confirm={t("remove")}
        danger
        pending={removal.pending}
        problem={removal.problem}
        onConfirm={() =>
          void removal
            .act(
              (options) =>
                api.post<TradeFile>(`/merchant/trade-file/documents/${removed}/remove`, {}, options),
              t("removed"),
            )
            .then((result) => result.ok && setRemoved(undefined))
        }
        onClose={() => setRemoved(undefined)}
      />
    </RecordSection>
  );
}

function AddDocument() {
  const t = useTranslations("console.trade_file");
  const errors = useTranslations("errors");
  const { pending, problem, setProblem, act } = useAction();
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  async function add(fields: FormData) {
    const content = fields.get("file");
    if (!(content instanceof File) || content.size === 0) return setProblem(errors("field_required"));
    if (!DOCUMENT_TYPES.some((type) => type === content.type) || content.size > DOCUMENT_LIMIT_BYTES)
      return setProblem(errors("document_type"));
    const kind = DOCUMENT_KINDS.find((one) => one === fields.get("kind")) ?? "register_extract";
    const expires = String(fields.get("expires") ?? "");
    const query = { kind, name: content.name.slice(0, DOCUMENT_NAME_MAX), ...(expires && { expires }) };
    const result = await act(
      (options) =>
        api.file("/merchant/trade-file/documents", { content, type: content.type }, query, options),
      t("added"),
    );
    if (result.ok) form.current?.reset();
  }
  return (
    <form
      ref={form}
      className="flex max-w-text flex-col gap-4 pt-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!pending) void add(new FormData(event.currentTarget));
      }}
    >
      <Select
        name="kind"
        label={t("kind")}
        options={DOCUMENT_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
      />
      <div className="flex flex-col gap-1.5">
        <label htmlFor={id} className="font-medium">
          {t("file")}
        </label>
        <input
          id={id}
          type="file"
          name="file"
          required
          accept={DOCUMENT_TYPES.join()}
          className="min-h-11 w-full max-w-80 cursor-pointer text-13 file:mr-3 file:min-h-11 file:cursor-pointer file:rounded-control file:border file:border-control file:bg-raised file:px-3"
        />
      </div>
      <TextInput name="expires" type="date" label={t("expires")} hint={t("expires_hint")} />
      <ErrorNotice>{problem}</ErrorNotice>
      <Button type="submit" pending={pending} className="self-start">
        {t("add")}
      </Button>
    </form>
  );
}
