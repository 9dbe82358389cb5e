"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useCallback } from "react";
import { ImportBar, ImportPill, ImportReport, useRunningImport } from "@/components/console/import-parts";
import { ConsoleHeader } from "@/components/console/page-header";
import { Facts, RecordSection } from "@/components/console/record";
import { ShortTime } from "@/components/console/time";
import { BatchUndo } from "@/components/merchants/key-batches/batch-undo";
import { BatchWithdrawal } from "@/components/merchants/key-batches/batch-withdrawal";
import { Icon } from "@/components/ui/icon";
import { Notice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import type { KeyBatch } from "@/lib/merchants/key-files/contract";
import { type ApiResult, api } from "@/lib/platform/api/client";

type Props = {
  batch: KeyBatch;
  /** The merchant's calls of the batch, or those of staff. */
  of: "merchant" | "admin";
  /** The viewer may withdraw its codes. */
  mayWithdraw: boolean;
  /** Facts that only staff see. */
  more?: readonly (readonly [string, ReactNode])[];
  tools?: ReactNode;
};

/** A batch of codes: where it comes from, what became of its codes, its refused lines, and the withdrawal of the unsold ones. */
export function BatchPage({ batch: first, of, mayWithdraw, more = [], tools }: Props) {
  const t = useTranslations("console.key_batches");
  const imports = useTranslations("console.imports");
  const { locale } = useSurface();
  const id = first.batch_id;
  const read = useCallback(
    (): Promise<ApiResult<KeyBatch>> =>
      of === "merchant" ? api.get(`/merchant/keys/batches/${id}`) : api.get(`/admin/keys/batches/${id}`),
    [of, id],
  );
  const polled = useRunningImport<KeyBatch>(read, first) ?? first;
  // The page is read again once the import has ended, and after a withdrawal.
  const batch = first.state === "running" ? polled : first;
  const number = (value: number) => <span className="figures">{value.toLocaleString(locale)}</span>;
  const { counts, state, replaced_share: share } = batch;
  // Of a batch that its merchant has withdrawn, staff make the withdrawal final.
  const endsUndo = of === "admin" && batch.undo_until !== null;
  return (
    <>
      <ConsoleHeader title={batch.name}>{tools}</ConsoleHeader>
      <div className="flex flex-col gap-5 pb-6">
        <div>
          <ImportPill state={state} />
        </div>
        {state === "running" && (
          <ImportBar done={counts.new + counts.known + counts.refused} lines={batch.lines} />
        )}
        {(state === "failed" || state === "broken") && (
          <Notice kind="bad" title={imports(`${state}_title`)}>
            {imports("unfinished")}
          </Notice>
        )}
        <Facts
          rows={[
            ...more,
            [imports("started_at"), <ShortTime key="at" at={batch.started_at} />],
            batch.ended_at !== null && [imports("ended_at"), <ShortTime key="end" at={batch.ended_at} />],
            [imports("started_by"), batch.by],
            [imports("lines"), number(batch.lines)],
            [imports("added"), number(counts.new)],
            [imports("unchanged"), number(counts.known)],
            [imports("refused"), number(counts.refused)],
          ]}
        />
      </div>
      <RecordSection title={t("origin")}>
        <p className="font-medium">{t(`source.${batch.source}`)}</p>
        <p className="max-w-text pt-1 wrap-anywhere whitespace-pre-line">{batch.statement}</p>
        <p className="pt-3 text-13 text-quiet wrap-anywhere">{`SHA-256 ${batch.sha256}`}</p>
      </RecordSection>
      <RecordSection title={t("codes")}>
        <Facts
          rows={[
            [t("available"), number(batch.available)],
            [t("reserved"), number(batch.reserved)],
            [t("sold"), number(batch.sold)],
            [
              t("replaced"),
              share === null
                ? "–"
                : `${batch.replaced.toLocaleString(locale)} (${share.toLocaleString(locale, { style: "percent", maximumFractionDigits: 2 })})`,
            ],
            [t("withdrawn"), number(batch.withdrawn)],
          ]}
        />
        {mayWithdraw && of === "merchant" && batch.undo_until !== null && (
          <div className="pt-5">
            <BatchUndo batch={batch} until={batch.undo_until} />
          </div>
        )}
        {mayWithdraw && state !== "running" && (batch.available > 0 || endsUndo) && (
          <div className="pt-5">
            <BatchWithdrawal id={id} name={batch.name} of={of} />
          </div>
        )}
      </RecordSection>
      {batch.refused.length > 0 && (
        <div className="flex flex-col gap-4 border-t border-hairline pt-5">
          <ImportReport report={batch.refused} refused={counts.refused} />
          {of === "merchant" && (
            <a
              href={`/api/v1/merchant/keys/batches/${id}/refused?target_lang=${locale}`}
              download
              className="button button-secondary self-start"
            >
              <Icon name="table" size={18} />
              {imports("download_report")}
            </a>
          )}
        </div>
      )}
    </>
  );
}
