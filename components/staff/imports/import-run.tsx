"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill, type Tone } from "@/components/console/pill";
import { Facts } from "@/components/console/record";
import { ShortTime } from "@/components/console/time";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Notice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { api } from "@/lib/platform/api/client";
import type { ImportRun, ImportRunItem } from "@/lib/staff/imports/contract";
import { ImportNumbers, ImportReport } from "./import-report";

export const IMPORT_TONES: Record<ImportRunItem["state"], Tone> = {
  running: "warn",
  done: "good",
  failed: "bad",
  broken: "bad",
};
const POLL_MS = 1_000;

/** An import as it runs, asked for each second until it has ended. */
function useImport(id: string, first?: ImportRun): ImportRun | undefined {
  const router = useRouter();
  const [run, setRun] = useState(first);
  const isRunning = run === undefined || run.state === "running";
  useEffect(() => {
    if (!isRunning) return;
    let timer: ReturnType<typeof setTimeout>;
    const poll = async () => {
      const result = await api.get(`/admin/imports/${id}`);
      if (result.ok) {
        setRun(result.data);
        if (result.data.state !== "running") return router.refresh();
      }
      timer = setTimeout(() => void poll(), POLL_MS);
    };
    timer = setTimeout(() => void poll(), first ? POLL_MS : 0);
    return () => clearTimeout(timer);
  }, [id, isRunning, first, router]);
  return run;
}

/** The progress of an import, and what came of it. */
export function ImportProgress({
  id,
  first,
  tools,
  onSendAgain,
}: {
  id: string;
  first?: ImportRun;
  tools: (run: ImportRun) => ReactNode;
  /** Sends the file again after an import that did not end. */
  onSendAgain?: () => void;
}) {
  const t = useTranslations("console.imports");
  const run = useImport(id, first);
  if (!run) return <p role="status">{t("starting")}</p>;
  const { counts, lines, state } = run;
  const done = counts.added + counts.changed + counts.unchanged + counts.refused;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-3">
        <Pill tone={IMPORT_TONES[state]}>{t(`state.${state}`)}</Pill>
        <span className="font-medium wrap-anywhere">{run.name}</span>
      </div>
      {state === "running" && (
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
      )}
      {(state === "failed" || state === "broken") && (
        <Notice
          kind="bad"
          live
          title={t(`${state}_title`)}
          action={onSendAgain && <Button onClick={onSendAgain}>{t("send_again")}</Button>}
        >
          {t("unfinished")}
        </Notice>
      )}
      <ImportNumbers counts={counts} kind={run.kind} />
      {state !== "running" && (
        <>
          <div className="flex flex-wrap gap-3">
            {tools(run)}
            {run.report.length > 0 && (
              <a href={`/api/v1/admin/imports/${id}/refused`} download className="button button-secondary">
                <Icon name="table" size={18} />
                {t("download_report")}
              </a>
            )}
          </div>
          <ImportReport report={run.report} refused={counts.refused} />
        </>
      )}
    </div>
  );
}

/** The page of an import. */
export function ImportRecord({ run }: { run: ImportRun }) {
  const t = useTranslations("console.imports");
  const { locale } = useSurface();
  return (
    <>
      <ConsoleHeader title={t(`of.${run.kind}`)} />
      <div className="flex flex-col gap-6">
        <Facts
          rows={[
            [t("started_at"), <ShortTime key="at" at={run.started_at} />],
            run.ended_at !== null && [t("ended_at"), <ShortTime key="end" at={run.ended_at} />],
            [t("started_by"), run.started_by],
            [t("lines"), run.lines.toLocaleString(locale)],
            [
              "SHA-256",
              <code key="hash" className="text-13">
                {run.sha256}
              </code>,
            ],
          ]}
        />
        <ImportProgress id={run.import_id} first={run} tools={() => null} />
      </div>
    </>
  );
}
