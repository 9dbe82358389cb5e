"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useState } from "react";
import { downloadFile } from "@/components/console/download";
import { EffectsDialog } from "@/components/console/effects-dialog";
import { FormDialog } from "@/components/console/form-dialog";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { Facts, RecordSection, RecordTable } from "@/components/console/record";
import { RowButton } from "@/components/console/row-button";
import { ShortTime } from "@/components/console/time";
import { Button } from "@/components/ui/button";
import { useReauthentication } from "@/components/ui/reauthentication";
import { Select } from "@/components/ui/select";
import { useSurface } from "@/components/ui/surface";
import { TextInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import type { PayoutRow, PayoutRunDetail } from "@/lib/payouts/console/contract";
import { OUTCOME_FROM, PAYOUT_OUTCOMES } from "@/lib/payouts/rules";
import { type ApiResult, api } from "@/lib/platform/api/client";
import { fetchCall } from "@/lib/platform/api/light-client";
import { formatPrice, toCents } from "@/lib/platform/money";
import { PAYOUT_TONES, RUN_TONES } from "./payout-tones";
import { usePayoutAction } from "./use-payout-action";

/** States that a job ends. */
const WORKING: readonly string[] = ["preparing", "approved"];
const POLL_MS = 1_500;

/** A run of payouts: approved, sent, and each of its payouts ended. */
export function RunPage({ run, canManage }: { run: PayoutRunDetail; canManage: boolean }) {
  const t = useTranslations("console.payouts");
  const { locale } = useSurface();
  const usd = (amount: number) => formatPrice(toCents(amount), locale);
  const [open, setOpen] = useState<"ask" | "cancel" | PayoutRow>();
  const { pending, problem, setProblem, act } = usePayoutAction();
  usePolling(WORKING.includes(run.state));
  const path = `/admin/payouts/runs/${run.run_id}` as const;
  const show = (next?: typeof open) => {
    setProblem("");
    setOpen(next);
  };
  const hasUnfiled = run.rows.some(
    ({ state, in_file, method }) => state === "sent" && !in_file && method === "manual",
  );
  const isDraft = canManage && run.state === "draft";
  async function decide(kind: "ask" | "cancel") {
    const done = await act((options) => api.post(`${path}/${kind}`, {}, options), t("done"));
    if (done) show();
  }
  return (
    <>
      <ConsoleHeader title={t("run_title")} lead={run.run_id}>
        {isDraft && !run.waits && (
          <Button look="primary" onClick={() => show("ask")}>
            {t("ask")}
          </Button>
        )}
        {isDraft && <Button onClick={() => show("cancel")}>{t("cancel_run")}</Button>}
        {canManage && hasUnfiled && (
          <Button
            look="primary"
            pending={pending}
            onClick={() => void act((options) => api.post(`${path}/files`, {}, options), t("file_made"))}
          >
            {t("make_file")}
          </Button>
        )}
      </ConsoleHeader>
      <Facts
        rows={[
          [
            t("state"),
            <Pill key="state" tone={RUN_TONES[run.state]}>
              {t(run.waits ? "asked" : `run_state.${run.state}`)}
            </Pill>,
          ],
          [t("amount"), usd(run.amount)],
          [t("payouts"), run.payouts],
          [t("run"), <ShortTime key="at" at={run.created_at} />],
          [t("prepared_by"), run.origin === "weekly" ? t("weekly") : (run.prepared_by ?? "–")],
          run.asked_by !== null && [t("asked_by"), run.asked_by],
          run.approved_by !== null && [t("approved_by"), run.approved_by],
        ]}
      />
      <div className="pt-7">
        {run.files.length > 0 && (
          <RecordSection title={t("files")}>
            <RecordTable
              label={t("files")}
              rows={run.files}
              rowId={({ file_id }) => file_id}
              empty=""
              columns={[
                { name: t("made"), cell: ({ created_at }) => <ShortTime at={created_at} /> },
                { name: t("format"), cell: ({ format }) => t(`formats.${format}`) },
                { name: t("payouts"), end: true, cell: ({ payouts }) => payouts },
                { name: t("amount"), end: true, cell: ({ amount }) => usd(amount) },
                { name: t("made_by"), cell: ({ made_by }) => made_by ?? "–" },
                {
                  name: t("actions"),
                  cell: ({ file_id, format }) =>
                    canManage && (
                      <FileLink id={file_id} name={`${file_id}.${format === "pain" ? "xml" : "csv"}`} />
                    ),
                },
              ]}
            />
          </RecordSection>
        )}
        <RecordSection title={t("rows")}>
          <RecordTable
            label={t("rows")}
            rows={run.rows}
            rowId={({ payout_id }) => payout_id}
            empty={t("no_payouts")}
            columns={[
              {
                name: t("merchant"),
                cell: ({ merchant_id, merchant_name }) => (
                  <ConsoleLink href={`/console/merchants/${merchant_id}`} className="text-link">
                    {merchant_name}
                  </ConsoleLink>
                ),
              },
              { name: t("amount"), end: true, cell: ({ amount }) => usd(amount) },
              { name: t("sales"), end: true, cell: ({ sales }) => sales },
              {
                name: t("account"),
                cell: ({ method, country, last_four }) =>
                  `${method === "manual" ? country : t("provider_account")} … ${last_four}`,
              },
              {
                name: t("state"),
                cell: ({ state, reason, lacks_funds }) => (
                  <>
                    <Pill tone={PAYOUT_TONES[state]}>{t(`payout_state.${state}`)}</Pill>
                    {lacks_funds && <span className="block text-13 text-bad">{t("lacks_funds")}</span>}
                    {reason && <span className="block text-13 text-quiet">{reason}</span>}
                  </>
                ),
              },
              {
                name: t("reference"),
                cell: ({ reference, payout_id }) =>
                  reference ? (
                    <ConsoleLink
                      href={`/console/ledger?payout_id=${payout_id}`}
                      className="text-link wrap-anywhere"
                    >
                      {reference}
                    </ConsoleLink>
                  ) : (
                    "–"
                  ),
              },
              {
                name: t("actions"),
                cell: (row) =>
                  canManage &&
                  outcomesOf(row).length > 0 && (
                    <RowButton of={row.merchant_name} onClick={() => show(row)}>
                      {t("mark")}
                    </RowButton>
                  ),
              },
            ]}
          />
        </RecordSection>
      </div>
      <EffectsDialog
        open={open === "ask"}
        title={t("ask")}
        effects={[
          t("effect.ask", { count: run.payouts, amount: usd(run.amount) }),
          t("effect.dropped"),
          t("effect.other"),
        ]}
        confirm={t("ask")}
        pending={pending}
        problem={problem}
        onConfirm={() => void decide("ask")}
        onClose={() => show()}
      />
      <EffectsDialog
        open={open === "cancel"}
        title={t("cancel_run")}
        effects={[t("effect.cancel")]}
        confirm={t("cancel_run")}
        dismiss={t("keep")}
        danger
        pending={pending}
        problem={problem}
        onConfirm={() => void decide("cancel")}
        onClose={() => show()}
      />
      {typeof open === "object" && <EndDialog row={open} onClose={() => show()} />}
    </>
  );
}

/** What became of a transfer, the payment provider says itself; it can only be taken back. */
const outcomesOf = ({ state, method }: PayoutRow) =>
  PAYOUT_OUTCOMES.filter(
    (outcome) => OUTCOME_FROM[outcome].includes(state) && (method === "manual" || outcome === "returned"),
  );

function usePolling(active: boolean) {
  const router = useRouter();
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => router.refresh(), POLL_MS);
    return () => clearInterval(timer);
  }, [active, router]);
}

/** Says what became of a payout at the bank. */
function EndDialog({ row, onClose }: { row: PayoutRow; onClose: () => void }) {
  const t = useTranslations("console.payouts");
  const { pending, problem, act } = usePayoutAction();
  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const outcome = outcomesOf(row).find((one) => one === fields.get("outcome"));
    if (!outcome) return;
    const reason = String(fields.get("reason") ?? "").trim() || undefined;
    const path = `/admin/payouts/${row.payout_id}/end` as const;
    if (await act((options) => api.post(path, { outcome, reason }, options), t("done"))) onClose();
  }
  return (
    <FormDialog
      title={t("mark_title", { merchant: row.merchant_name })}
      submit={t("mark")}
      pending={pending}
      problem={problem}
      onSubmit={send}
      onClose={onClose}
    >
      <Select
        name="outcome"
        label={t("outcome")}
        hint={t(row.method === "manual" ? "outcome_hint" : "outcome_hint_provider")}
        options={outcomesOf(row).map((value) => ({ value, label: t(`payout_state.${value}`) }))}
      />
      <TextInput name="reason" label={t("reason")} maxLength={500} autoComplete="off" />
    </FormDialog>
  );
}

/** Downloads a bank file, which needs a recent reauthentication. */
function FileLink({ id, name }: { id: string; name: string }) {
  const t = useTranslations("console.payouts");
  const network = useTranslations("errors")("network");
  const withReauthentication = useReauthentication();
  const [pending, setPending] = useState(false);
  async function download() {
    setPending(true);
    const result = await withReauthentication(() => fetchFile(id, network));
    setPending(false);
    if (result.ok) downloadFile(result.data, name);
    else showToast(result.message, "bad");
  }
  return (
    <RowButton of={name} disabled={pending} onClick={() => void download()}>
      {t("download")}
    </RowButton>
  );
}

async function fetchFile(id: string, network: string): Promise<ApiResult<Blob>> {
  try {
    const response = await fetchCall(`/admin/payouts/files/${id}`);
    if (response.ok) return { ok: true, data: await response.blob() };
    const { code, message, errors = [] } = await response.json();
    return { ok: false, code, message, errors };
  } catch {
    return { ok: false, code: "", message: network, errors: [] };
  }
}
