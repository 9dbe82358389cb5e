"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useCallback, useState } from "react";
import { useReauthentication } from "@/components/accounts/reauthentication/reauthentication-provider";
import { EffectsDialog } from "@/components/console/effects-dialog";
import { ImportBar, ImportPill, ImportReport, useRunningImport } from "@/components/console/import-parts";
import { ConsoleHeader } from "@/components/console/page-header";
import { Facts, RecordSection } from "@/components/console/record";
import { ShortTime } from "@/components/console/time";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import type { KeyBatch, KeysWithdrawn } from "@/lib/merchants/key-files/contract";
import { type ApiResult, api } from "@/lib/platform/api/client";

type Props = {
  batch: KeyBatch;
  /** The merchant's calls of the batch, or those of staff. */
  of: "merchant" | "admin";
  /** Its codes may be taken back by the viewer. */
  mayWithdraw: boolean;
  /** Facts that only staff see. */
  more?: readonly (readonly [string, ReactNode])[];
  tools?: ReactNode;
};

/** A batch of codes: where it comes from, what became of its codes, its refused lines, and taking back the unsold ones. */
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
        {mayWithdraw && batch.available > 0 && state !== "running" && <Withdrawal id={id} of={of} />}
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

/** Takes back the unsold codes of a batch, after saying how many they are. */
function Withdrawal({ id, of }: { id: string; of: Props["of"] }) {
  const t = useTranslations("console.key_batches");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const asking = useCall(network);
  const acting = useCall(network);
  const [planned, setPlanned] = useState<KeysWithdrawn>();
  const send = (preview: boolean, options: { networkMessage: string }): Promise<ApiResult<KeysWithdrawn>> =>
    withReauthentication(() =>
      of === "merchant"
        ? api.post(`/merchant/keys/batches/${id}/withdraw`, { preview }, options)
        : api.post(`/admin/keys/batches/${id}/withdraw`, { preview }, options),
    );
  async function open() {
    const result = await asking.run((options) => send(true, options));
    if (result.ok) setPlanned(result.data);
  }
  async function withdraw() {
    const result = await acting.run((options) => send(false, options));
    if (!result.ok) return;
    setPlanned(undefined);
    showToast(t("withdrawn_now", { count: result.data.withdrawn }));
    router.refresh();
  }
  return (
    <div className="flex flex-col gap-3 pt-5">
      <Button look="secondary" pending={asking.pending} className="self-start" onClick={() => void open()}>
        {t("withdraw")}
      </Button>
      <ErrorNotice>{asking.problem}</ErrorNotice>
      <EffectsDialog
        open={planned !== undefined}
        title={t("withdraw_title")}
        effects={
          planned
            ? [
                t("effect_withdrawn", { count: planned.withdrawn }),
                t("effect_reserved", { count: planned.reserved }),
                t("effect_final"),
              ]
            : []
        }
        confirm={t("withdraw_now")}
        danger
        pending={acting.pending}
        problem={acting.problem}
        onConfirm={() => void withdraw()}
        onClose={() => setPlanned(undefined)}
      />
    </div>
  );
}
