"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { downloadFile } from "@/components/console/download";
import { Facts, RecordTable } from "@/components/console/record";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { useSurface } from "@/components/ui/surface";
import { refusedLines } from "@/lib/platform/imports/rules";
import type { ImportCounts, ImportKind, ImportReportLine } from "@/lib/staff/imports/rules";

const PAGE = 100;

/** What an import did, or would do, in numbers. */
export function ImportNumbers({ counts, kind }: { counts: ImportCounts; kind: ImportKind }) {
  const t = useTranslations("console.imports");
  const { locale } = useSurface();
  const number = (value: number) => <span className="figures text-17">{value.toLocaleString(locale)}</span>;
  return (
    <Facts
      rows={[
        [t("added"), number(counts.added)],
        // A code is never changed.
        kind !== "keys" && [t("changed"), number(counts.changed)],
        [t("unchanged"), number(counts.unchanged)],
        [t("refused"), number(counts.refused)],
      ]}
    />
  );
}

/** The refused lines with their reasons, a hundred at a time, so that ten thousand are no burden. */
export function ImportReport({ report, refused }: { report: readonly ImportReportLine[]; refused: number }) {
  const t = useTranslations("console.imports");
  const [start, setStart] = useState(0);
  const rows = report.slice(start, start + PAGE).map((entry, i) => ({ ...entry, id: String(start + i) }));
  const hasFields = report.some(({ field }) => field !== "");
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
                  cell: ({ field }: ImportReportLine) => field && <code className="text-13">{field}</code>,
                },
              ]
            : []),
          { name: t("reason"), cell: ({ message }) => <span lang="en">{message}</span> },
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
            {t("shown", {
              from: start + 1,
              to: Math.min(start + PAGE, report.length),
              total: report.length,
            })}
          </p>
        </div>
      )}
      {refused > report.length && report.length >= 10_000 && (
        <p className="text-quiet">{t("report_cut", { count: report.length })}</p>
      )}
    </section>
  );
}

/** Saves the refused lines of the file that the browser still has, to be corrected and sent again. */
export function RefusedLinesButton({
  file,
  kind,
  report,
}: {
  file: File;
  kind: ImportKind;
  report: readonly ImportReportLine[];
}) {
  const t = useTranslations("console.imports");
  if (report.length === 0) return null;
  const download = async () =>
    downloadFile(
      new Blob([refusedLines(await file.text(), report, { hasHeader: kind === "keys" })]),
      `refused-${file.name}`,
    );
  return (
    <Button look="secondary" onClick={() => void download()}>
      <Icon name="table" size={18} />
      {t("download_lines")}
    </Button>
  );
}
