"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useCallback } from "react";
import { ImportBar, ImportPill, ImportReport, useRunningImport } from "@/components/console/import-parts";
import { ConsoleHeader } from "@/components/console/page-header";
import { Facts } from "@/components/console/record";
import { ShortTime } from "@/components/console/time";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Notice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { api } from "@/lib/platform/api/client";
import type { ImportRun } from "@/lib/staff/imports/contract";
import { ImportNumbers } from "./import-report";

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
  const read = useCallback(() => api.get(`/admin/imports/${id}`), [id]);
  const run = useRunningImport<ImportRun>(read, first);
  if (!run) return <p role="status">{t("starting")}</p>;
  const { counts, lines, state } = run;
  const done = counts.added + counts.changed + counts.unchanged + counts.refused;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-3">
        <ImportPill state={state} />
        <span className="font-medium wrap-anywhere">{run.name}</span>
      </div>
      {state === "running" && <ImportBar done={done} lines={lines} />}
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
          <ImportReport report={run.report} refused={counts.refused} messageLang="en" />
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
