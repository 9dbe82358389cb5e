"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { downloadFile, fetchFile } from "@/components/console/download";
import { Pill } from "@/components/console/pill";
import { RecordSection, RecordTable } from "@/components/console/record";
import { ShortDate } from "@/components/console/time";
import { DOCUMENT_TONES, FIELD_TONES, FILE_TONES } from "@/components/merchants/trade-file/tones";
import { ActionDialog } from "@/components/staff/action-dialog";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { ErrorNotice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { Select } from "@/components/ui/select";
import { TextArea, TextInput } from "@/components/ui/text-input";
import { useCall } from "@/components/ui/use-call";
import type { ConsoleTradeFile } from "@/lib/merchants/console/contract-trade-files";
import { CHECK_METHODS, FIELD_NOTE_MAX, LEGAL_FORMS, TYPED_FIELDS } from "@/lib/merchants/trade-file/rules";

type Props = { file: ConsoleTradeFile; mayCheck: boolean; mayOpen: boolean };
type Field = ConsoleTradeFile["fields"][number];

const TYPED: readonly string[] = TYPED_FIELDS;

/** A merchant's trader file for staff: its content and state, and the actions on selected fields and documents. */
export function TradeFileTab({ file, mayCheck, mayOpen }: Props) {
  const t = useTranslations("console.trade_files");
  const words = useTranslations("console.trade_file");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [decision, setDecision] = useState<"check" | "ask">();
  const choose = (name: string, isChosen: boolean) =>
    setChosen((names) => (isChosen ? [...names, name] : names.filter((one) => one !== name)));
  const box = (name: string, label: string) => (
    <Checkbox
      label={`${t("select")}: ${label}`}
      hideLabel
      checked={chosen.includes(name)}
      onChange={({ target }) => choose(name, target.checked)}
    />
  );
  const fields = TYPED_FIELDS.filter((field) => chosen.includes(field));
  const documents = file.documents.map(({ document_id }) => document_id).filter((id) => chosen.includes(id));
  const waiting = [
    ...file.fields
      .filter(({ field, state }) => TYPED.includes(field) && state === "given")
      .map((row) => row.field),
    ...file.documents.filter(({ state }) => state === "given").map(({ document_id }) => document_id),
  ];
  const body = (values: FormData) => {
    const text = (name: string) => String(values.get(name) ?? "").trim();
    const target = { fields, documents, version: file.version, note: text("note") };
    if (decision === "ask") return target;
    return { ...target, how: text("how"), ...(text("expires") && { expires: text("expires") }) };
  };
  return (
    <>
      <p className="flex flex-wrap items-center gap-3 pb-4">
        <Pill tone={FILE_TONES[file.state]}>{words(`filestate.${file.state}`)}</Pill>
        {file.held_at && <Pill tone="bad">{t("held_filter")}</Pill>}
        {!file.held_at && file.due_at && (
          <span className="text-quiet">
            {t("due")}: <ShortDate at={file.due_at} />
          </span>
        )}
        {!file.required && <span className="text-quiet">{t("kept_by_staff")}</span>}
      </p>
      <RecordSection title={t("tab")}>
        <RecordTable
          label={t("tab")}
          rows={file.fields}
          rowId={({ field }) => field}
          empty=""
          columns={[
            ...(mayCheck
              ? [
                  {
                    name: t("select"),
                    cell: ({ field, state }: Field) =>
                      TYPED.includes(field) && state !== "missing"
                        ? box(field, words(`fields.${field}`))
                        : null,
                  },
                ]
              : []),
            { name: t("field"), cell: ({ field }) => words(`fields.${field}`) },
            { name: t("value"), cell: (row) => <FieldValue row={row} /> },
            {
              name: t("state"),
              cell: (row) => <FieldState row={row} />,
            },
          ]}
        />
      </RecordSection>
      <RecordSection title={words("documents")}>
        <RecordTable
          label={words("documents")}
          rows={file.documents}
          rowId={({ document_id }) => document_id}
          empty={words("no_documents")}
          columns={[
            ...(mayCheck
              ? [
                  {
                    name: t("select"),
                    cell: ({ document_id, name }: ConsoleTradeFile["documents"][number]) =>
                      box(document_id, name),
                  },
                ]
              : []),
            { name: words("kind"), cell: ({ kind }) => words(`kinds.${kind}`) },
            { name: words("name"), cell: ({ name }) => name },
            {
              name: t("state"),
              cell: ({ state, note }) => (
                <>
                  <Pill tone={DOCUMENT_TONES[state]}>{words(`documentstate.${state}`)}</Pill>
                  {note && <span className="block text-13 text-quiet">{note}</span>}
                </>
              ),
            },
            { name: words("given"), cell: ({ created_at }) => <ShortDate at={created_at} /> },
            {
              name: words("expires"),
              cell: ({ expires_at }) => (expires_at ? <ShortDate at={expires_at} /> : "–"),
            },
            ...(mayOpen
              ? [
                  {
                    name: t("open"),
                    cell: (document: ConsoleTradeFile["documents"][number]) => (
                      <OpenButton merchant={file.merchant_id} document={document} />
                    ),
                  },
                ]
              : []),
          ]}
        />
        {mayOpen && file.documents.length > 0 && <p className="pt-2 text-13 text-quiet">{t("opened")}</p>}
      </RecordSection>
      {mayCheck && (
        <div className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t border-hairline bg-paper py-3">
          <Button look="primary" disabled={chosen.length === 0} onClick={() => setDecision("check")}>
            {t("check")}
          </Button>
          <Button disabled={chosen.length === 0} onClick={() => setDecision("ask")}>
            {t("ask")}
          </Button>
          {waiting.some((name) => !chosen.includes(name)) && (
            <Button look="quiet" onClick={() => setChosen(waiting)}>
              {t("select_waiting", { count: waiting.length })}
            </Button>
          )}
          {chosen.length === 0 && <span className="text-13 text-quiet">{t("nothing")}</span>}
        </div>
      )}
      {decision && (
        <ActionDialog
          key={decision}
          open
          title={t(`${decision}_title`)}
          confirm={t(decision)}
          danger={decision === "ask"}
          done={t(decision === "check" ? "checked_done" : "asked_done")}
          path={`/admin/merchants/${file.merchant_id}/trade-file/${decision}`}
          consequences={[
            decision === "ask"
              ? t("effect_missing")
              : t("effect_check", { count: fields.length + documents.length }),
          ]}
          body={body}
          fields={
            <>
              {decision === "check" && (
                <Select
                  name="how"
                  label={t("how")}
                  options={CHECK_METHODS.map((value) => ({ value, label: t(`method.${value}`) }))}
                />
              )}
              <TextArea
                name="note"
                label={t(decision === "check" ? "note" : "reason")}
                hint={t(decision === "check" ? "note_hint" : "reason_hint")}
                required
                maxLength={FIELD_NOTE_MAX}
                rows={3}
              />
              {decision === "check" && (
                <TextInput name="expires" type="date" label={t("expires")} hint={t("expires_hint")} />
              )}
            </>
          }
          onDone={() => setChosen([])}
          onClose={() => setDecision(undefined)}
        />
      )}
    </>
  );
}

function FieldValue({ row: { field, value, given_by } }: { row: Field }) {
  const t = useTranslations("console.trade_files");
  const words = useTranslations("console.trade_file");
  const form = field === "form" ? LEGAL_FORMS.find((one) => one === value[0]) : undefined;
  const lines = form ? [words(`forms.${form}`)] : value;
  return (
    <>
      {lines.map((line) => (
        <span key={line} className="block max-w-text">
          {line}
        </span>
      ))}
      {lines.length === 0 && "–"}
      {given_by && <span className="block text-13 text-quiet">{t("given_by", { who: given_by })}</span>}
    </>
  );
}

function FieldState({ row }: { row: Field }) {
  const t = useTranslations("console.trade_files");
  const words = useTranslations("console.trade_file");
  const { state, checked_at, checked_how, checked_by, note, expires_at } = row;
  return (
    <>
      <Pill tone={FIELD_TONES[state]}>{words(`fieldstate.${state}`)}</Pill>
      {checked_at && checked_how && (
        <span className="block text-13 text-quiet">
          {t("checked_by", { how: t(`method.${checked_how}`), who: checked_by ?? "–" })}{" "}
          <ShortDate at={checked_at} />
        </span>
      )}
      {note && <span className="block text-13 text-quiet wrap-anywhere">{note}</span>}
      {expires_at && (
        <span className="block text-13 text-quiet">
          {t("expires")}: <ShortDate at={expires_at} />
        </span>
      )}
    </>
  );
}

function OpenButton({
  merchant,
  document,
}: {
  merchant: string;
  document: ConsoleTradeFile["documents"][number];
}) {
  const t = useTranslations("console.trade_files");
  const withReauthentication = useReauthentication();
  const { pending, problem, run } = useCall(useTranslations("errors")("network"));
  const { document_id, name } = document;
  async function open() {
    const result = await run(({ networkMessage }) =>
      withReauthentication(() =>
        fetchFile(`/admin/merchants/${merchant}/trade-file/open`, { document: document_id }, networkMessage),
      ),
    );
    if (result.ok) downloadFile(result.data, name);
  }
  return (
    <>
      <Button look="quiet" pending={pending} aria-label={`${t("open")}: ${name}`} onClick={() => void open()}>
        {t("open")}
      </Button>
      <ErrorNotice>{problem}</ErrorNotice>
    </>
  );
}
