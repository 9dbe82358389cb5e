"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useCallback, useState } from "react";
import {
  HeldCodes,
  ImportBar,
  ImportExample,
  ImportFileForm,
  ImportPill,
  ImportReport,
  RefusedLinesButton,
  useRunningImport,
} from "@/components/console/import-parts";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { KeyNumbers } from "@/components/merchants/key-batches/key-numbers";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { TextArea } from "@/components/ui/text-input";
import { useCall } from "@/components/ui/use-call";
import type { KeyBatch, KeyBatchStarted, KeyFilePreview } from "@/lib/merchants/key-files/contract";
import {
  KEY_FILE_EXAMPLE,
  KEY_FILE_NAMES,
  KEY_FILE_TYPE,
  STATEMENT_MAX,
} from "@/lib/merchants/key-files/rules";
import { BATCH_SOURCES } from "@/lib/merchants/rules";
import { api } from "@/lib/platform/api/client";
import { KeysTabs } from "./keys-tabs";

type Origin = { source: (typeof BATCH_SOURCES)[number]; statement: string };

/** Adds codes: the file, its check, where the codes come from, the import and its report. */
export function AddKeysScreen({ handle }: { handle: string }) {
  const t = useTranslations("console.merchant_keys");
  return (
    <>
      <ConsoleHeader title={t("add_title")} lead={t("add_lead")}>
        <KeysTabs handle={handle} current="add" />
      </ConsoleHeader>
      <div className="max-w-4xl">
        <AddKeys handle={handle} />
      </div>
    </>
  );
}

function AddKeys({ handle }: { handle: string }) {
  const t = useTranslations("console.merchant_keys");
  const imports = useTranslations("console.imports");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const { pending, problem, setProblem, run } = useCall(network);
  const [file, setFile] = useState<File>();
  const [isChecking, setIsChecking] = useState(false);
  const [preview, setPreview] = useState<KeyFilePreview>();
  /** Codes that look like numbers or dates, which the merchant has confirmed. */
  const [confirmed, setConfirmed] = useState(0);
  const [origin, setOrigin] = useState<Origin>();
  const [batch, setBatch] = useState<{ started: KeyBatchStarted; times: number }>();

  function restart() {
    setFile(undefined);
    setPreview(undefined);
    setConfirmed(0);
    setBatch(undefined);
    setProblem("");
  }
  async function check(chosen: File, held = 0) {
    setFile(chosen);
    setConfirmed(held);
    setPreview(undefined);
    setIsChecking(true);
    const content = { content: chosen, type: KEY_FILE_TYPE };
    const query = { confirm_held: held > 0 };
    const result = await run((options) => api.file("/merchant/keys/preview", content, query, options));
    setIsChecking(false);
    if (result.ok) setPreview(result.data);
  }
  async function start(sent: File, { sha256 }: KeyFilePreview, from: Origin) {
    setOrigin(from);
    const content = { content: sent, type: KEY_FILE_TYPE };
    const query = { sha256, name: sent.name.slice(-200), confirm_held: confirmed > 0, ...from };
    const result = await run((options) =>
      withReauthentication(() => api.file("/merchant/keys/import", content, query, options)),
    );
    if (!result.ok) return;
    setBatch((earlier) => ({ started: result.data, times: (earlier?.times ?? 0) + 1 }));
    router.refresh();
  }

  if (batch && file && preview && origin)
    return (
      <div className="flex flex-col gap-5 rounded-control border border-hairline bg-raised p-4">
        <ErrorNotice>{problem}</ErrorNotice>
        <BatchProgress
          key={batch.times}
          first={batch.started}
          handle={handle}
          file={file}
          onAnother={restart}
          onSendAgain={() => void start(file, preview, origin)}
        />
      </div>
    );
  return (
    <div className="flex flex-col gap-6">
      <ImportFileForm
        accept={KEY_FILE_NAMES}
        hint={t("file_hint")}
        pending={isChecking}
        isChecked={preview !== undefined}
        onChoose={(chosen) => void check(chosen)}
        onChange={restart}
      >
        <ImportExample lines={KEY_FILE_EXAMPLE}>
          {imports("columns.keys")} {t("plan_id_hint")}
        </ImportExample>
      </ImportFileForm>
      <p role="status" className={isChecking ? "text-quiet" : "sr-only"}>
        {isChecking && imports("previewing")}
      </p>
      <ErrorNotice>{problem}</ErrorNotice>
      {preview && file && (
        <section
          aria-label={imports("preview")}
          className="flex flex-col gap-5 rounded-control border border-hairline bg-raised p-4"
        >
          <div>
            <h2 className="text-17 font-semibold wrap-anywhere">
              {imports("preview_of", { name: file.name })}
            </h2>
            <p className="pt-1 text-quiet">
              {imports(preview.lines === 0 ? "preview_empty" : "preview_lead")}
            </p>
          </div>
          <KeyNumbers counts={preview.counts} />
          <HeldCodes
            count={confirmed || preview.held}
            isConfirmed={confirmed > 0}
            onConfirm={(isRight) => void check(file, isRight ? preview.held : 0)}
          />
          {preview.batch_id !== null && (
            <Notice kind="info" title={t("known_file")}>
              <ConsoleLink
                href={`/merchant/${handle}/keys/batches/${preview.batch_id}`}
                className="text-link"
              >
                {t("to_batch")}
              </ConsoleLink>
            </Notice>
          )}
          {preview.counts.new > 0 || preview.batch_id !== null ? (
            <OriginForm
              count={preview.counts.new}
              first={origin}
              pending={pending}
              onSubmit={(from) => void start(file, preview, from)}
            />
          ) : (
            <p>{t("nothing_new")}</p>
          )}
          <div className="flex flex-wrap gap-3">
            <RefusedLinesButton file={file} hasHeader report={preview.refused} />
          </div>
          <ImportReport report={preview.refused} refused={preview.counts.refused} />
        </section>
      )}
    </div>
  );
}

/** Where the codes come from, which becomes part of their custody. */
function OriginForm({
  count,
  first,
  pending,
  onSubmit,
}: {
  count: number;
  first: Origin | undefined;
  pending: boolean;
  onSubmit: (origin: Origin) => void;
}) {
  const t = useTranslations("console.merchant_keys");
  const batches = useTranslations("console.key_batches");
  const [source, setSource] = useState(first?.source ?? BATCH_SOURCES[0]);
  const [problem, setProblem] = useState("");
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const statement = String(new FormData(event.currentTarget).get("statement") ?? "").trim();
    if (!statement) return setProblem(t("statement_missing"));
    setProblem("");
    onSubmit({ source, statement });
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <fieldset className="flex flex-col">
        <legend className="font-medium">{t("source")}</legend>
        {BATCH_SOURCES.map((one) => (
          <Checkbox
            key={one}
            type="radio"
            name="source"
            value={one}
            label={batches(`source.${one}`)}
            checked={source === one}
            onChange={() => setSource(one)}
          />
        ))}
      </fieldset>
      <TextArea
        name="statement"
        label={t("statement")}
        hint={t("statement_hint")}
        error={problem}
        rows={3}
        maxLength={STATEMENT_MAX}
        defaultValue={first?.statement}
      />
      <Button type="submit" look="primary" pending={pending} className="self-start">
        {t("import_now", { count })}
      </Button>
    </form>
  );
}

function BatchProgress({
  first,
  handle,
  file,
  onAnother,
  onSendAgain,
}: {
  first: KeyBatch;
  handle: string;
  file: File;
  onAnother: () => void;
  onSendAgain: () => void;
}) {
  const t = useTranslations("console.merchant_keys");
  const imports = useTranslations("console.imports");
  const id = first.batch_id;
  const read = useCallback(() => api.get(`/merchant/keys/batches/${id}`), [id]);
  const batch = useRunningImport<KeyBatch>(read, first) ?? first;
  const { state, counts, lines } = batch;
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <ImportPill state={state} />
        <span className="font-medium wrap-anywhere">{batch.name}</span>
      </div>
      {state === "running" && <ImportBar done={counts.new + counts.known + counts.refused} lines={lines} />}
      {(state === "failed" || state === "broken") && (
        <Notice
          kind="bad"
          live
          title={imports(`${state}_title`)}
          action={<Button onClick={onSendAgain}>{imports("send_again")}</Button>}
        >
          {imports("unfinished")}
        </Notice>
      )}
      <KeyNumbers counts={counts} />
      {state !== "running" && (
        <>
          <div className="flex flex-wrap items-center gap-3">
            <RefusedLinesButton file={file} hasHeader report={batch.refused} />
            <Button look="primary" onClick={onAnother}>
              {imports("another")}
            </Button>
            <ConsoleLink href={`/merchant/${handle}/keys/batches/${id}`} className="text-link">
              {t("to_batch")}
            </ConsoleLink>
          </div>
          <ImportReport report={batch.refused} refused={counts.refused} />
        </>
      )}
    </>
  );
}
