"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { downloadFile } from "@/components/console/download";
import { Pill, type Tone } from "@/components/console/pill";
import { RecordTable } from "@/components/console/record";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import type { ApiResult } from "@/lib/platform/api/client";
import { decodeText } from "@/lib/platform/content/encoding";
import { IMPORT_LIMIT_BYTES, MAX_REPORT_LINES, refusedLines } from "@/lib/platform/imports/rules";

type ImportState = "running" | "done" | "failed" | "broken";
const TONES: Record<ImportState, Tone> = { running: "warn", done: "good", failed: "bad", broken: "bad" };

export function ImportPill({ state }: { state: ImportState }) {
  const t = useTranslations("console.imports");
  return <Pill tone={TONES[state]}>{t(`state.${state}`)}</Pill>;
}

const POLL_MS = 1_000;

/** A running import, polled every second until it has ended. `read` stays the same between renders. */
export function useRunningImport<Run extends { state: ImportState }>(
  read: () => Promise<ApiResult<Run>>,
  first?: Run,
): Run | undefined {
  const router = useRouter();
  const [run, setRun] = useState(first);
  const isRunning = run === undefined || run.state === "running";
  useEffect(() => {
    if (!isRunning) return;
    let timer: ReturnType<typeof setTimeout>;
    let isLeft = false;
    const poll = async () => {
      const result = await read();
      if (isLeft) return;
      if (result.ok) {
        setRun(result.data);
        if (result.data.state !== "running") return router.refresh();
      }
      timer = setTimeout(() => void poll(), POLL_MS);
    };
    timer = setTimeout(() => void poll(), first ? POLL_MS : 0);
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [isRunning, first, read, router]);
  return run;
}

/** How far a running import is. */
export function ImportBar({ done, lines }: { done: number; lines: number }) {
  const t = useTranslations("console.imports");
  return (
    <div className="flex max-w-text flex-col gap-2">
      <progress
        aria-label={t("progress")}
        value={Math.min(done, lines)}
        max={Math.max(1, lines)}
        className="h-2 w-full accent-ink"
      />
      <p role="status" className="text-quiet">
        {t("progress_lines", { done, total: lines })}
      </p>
    </div>
  );
}

type ReportLine = { line: number; field?: string; message: string };
const PAGE = 100;

/** The refused lines with their reasons, a hundred at a time, so that ten thousand do not slow the page. */
export function ImportReport({
  report,
  refused,
  messageLang,
}: {
  report: readonly ReportLine[];
  refused: number;
  /** The language of the reasons, where it is not the page's. */
  messageLang?: string;
}) {
  const t = useTranslations("console.imports");
  const [start, setStart] = useState(0);
  const rows = report.slice(start, start + PAGE).map((entry, i) => ({ ...entry, id: String(start + i) }));
  const hasFields = report.some(({ field }) => field);
  if (report.length === 0) return null;
  return (
    <section aria-label={t("report")} className="flex flex-col gap-3">
      <h2 className="text-17 font-semibold">{t("report")}</h2>
      <RecordTable
        label={t("report")}
        columns={[
          { name: t("line"), cell: ({ line }) => <span className="figures">{line}</span> },
          ...(hasFields
            ? [
                {
                  name: t("field"),
                  cell: ({ field }: ReportLine) => field && <code className="text-13">{field}</code>,
                },
              ]
            : []),
          { name: t("reason"), cell: ({ message }) => <span lang={messageLang}>{message}</span> },
        ]}
        rows={rows}
        rowId={({ id }) => id}
        empty=""
      />
      {report.length > PAGE && (
        <div className="flex flex-wrap items-center gap-3">
          <Button look="secondary" onClick={() => setStart(Math.max(0, start - PAGE))}>
            {t("previous")}
          </Button>
          <Button look="secondary" onClick={() => start + PAGE < report.length && setStart(start + PAGE)}>
            {t("next")}
          </Button>
          <p role="status" className="text-quiet">
            {t("shown", { from: start + 1, to: Math.min(start + PAGE, report.length), total: report.length })}
          </p>
        </div>
      )}
      {refused > report.length && report.length >= MAX_REPORT_LINES && (
        <p className="text-quiet">{t("report_cut", { count: report.length })}</p>
      )}
    </section>
  );
}

/** Saves the refused lines of the file that the browser still has, to be corrected and sent again. */
export function RefusedLinesButton({
  file,
  hasHeader,
  report,
}: {
  file: File;
  hasHeader: boolean;
  report: readonly { line: number }[];
}) {
  const t = useTranslations("console.imports");
  if (report.length === 0) return null;
  const download = async () => {
    const text = decodeText(new Uint8Array(await file.arrayBuffer()));
    downloadFile(new Blob([refusedLines(text, report, { hasHeader })]), `refused-${file.name}`);
  };
  return (
    <Button look="secondary" onClick={() => void download()}>
      <Icon name="table" size={18} />
      {t("download_lines")}
    </Button>
  );
}

/** Asks whether codes that look like numbers or dates of a spreadsheet are right. `count`: of those that wait or are confirmed. */
export function HeldCodes({
  count,
  isConfirmed,
  onConfirm,
}: {
  count: number;
  isConfirmed: boolean;
  onConfirm: (isConfirmed: boolean) => void;
}) {
  const t = useTranslations("console.imports");
  if (count === 0) return null;
  return (
    <Checkbox
      name="confirm_held"
      label={t("confirm_held", { count })}
      checked={isConfirmed}
      onChange={(event) => onConfirm(event.target.checked)}
    />
  );
}

/** Chooses the file of an import, which can be dropped on the form. `children`: fields below the file. */
export function ImportFileForm({
  accept,
  hint,
  pending,
  isChecked,
  onChoose,
  onChange,
  above,
  children,
}: {
  accept: string;
  hint: ReactNode;
  pending: boolean;
  /** The file was checked already. */
  isChecked: boolean;
  onChoose: (file: File, form: FormData) => void;
  onChange: () => void;
  above?: ReactNode;
  children?: ReactNode;
}) {
  const t = useTranslations("console.imports");
  const [file, setFile] = useState<File>();
  const [problem, setProblem] = useState("");
  const [isOver, setIsOver] = useState(false);

  function choose(next: File | undefined) {
    setFile(next);
    setProblem("");
    onChange();
  }
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!file) return setProblem(t("choose_file"));
    if (file.size === 0) return setProblem(t("file_empty"));
    if (file.size > IMPORT_LIMIT_BYTES) return setProblem(t("file_large"));
    setProblem("");
    onChoose(file, new FormData(event.currentTarget));
  }
  return (
    <form
      onSubmit={submit}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        choose(event.dataTransfer.files[0]);
      }}
      className={`flex flex-col gap-5 rounded-control border border-dashed p-4 ${isOver ? "border-ink bg-tint" : "border-control"}`}
    >
      {above}
      <Field label={t("file")} hint={file ? t("chosen", { name: file.name }) : hint} error={problem}>
        {(control) => (
          <input
            {...control}
            type="file"
            accept={accept}
            className="control h-auto py-2"
            onChange={(event) => choose(event.target.files?.[0])}
          />
        )}
      </Field>
      {children}
      <Button
        type="submit"
        look={isChecked ? "secondary" : "primary"}
        pending={pending}
        className="self-start"
      >
        {t("preview_now")}
      </Button>
    </form>
  );
}

/** Lines of a file as an example, and below what its columns or fields mean. */
export function ImportExample({ lines, children }: { lines: string; children: ReactNode }) {
  const t = useTranslations("console.imports");
  return (
    <details>
      <summary className="hit cursor-pointer text-link">{t("example")}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre tabIndex={0} className="mt-2 overflow-x-auto rounded-control bg-tint p-3 text-13">
        {lines}
      </pre>
      <p className="max-w-text pt-2 text-13 text-quiet">{children}</p>
    </details>
  );
}
