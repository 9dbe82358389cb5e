"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { FormDialog } from "@/components/console/form-dialog";
import { ConsoleLink, useConsoleNavigate } from "@/components/console/link";
import { NumberInput } from "@/components/console/number-input";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { Facts, RecordSection, RecordTable } from "@/components/console/record";
import { RowButton } from "@/components/console/row-button";
import { ShortTime } from "@/components/console/time";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { useSurface } from "@/components/ui/surface";
import { TextInput } from "@/components/ui/text-input";
import type { SendCall } from "@/components/ui/use-call";
import type {
  MerchantBalance,
  MerchantBalances,
  PayoutRunList,
  PayoutSettings,
  WindowSale,
} from "@/lib/payouts/console/contract";
import { api } from "@/lib/platform/api/client";
import { formatDate } from "@/lib/platform/format";
import { formatPrice, toSignedCents } from "@/lib/platform/money";
import { parseTypedAmount } from "@/lib/platform/typed-number";
import { AnswerDialog } from "./answer-dialog";
import { RUN_TONES } from "./payout-tones";
import { usePayoutAction } from "./use-payout-action";

type Props = {
  runs: PayoutRunList;
  balances: MerchantBalances;
  settings: PayoutSettings;
  /** the demo, where waiting times can be ended: sales whose window has not; null: it is no demo */
  windows: WindowSale[] | null;
};
type Open =
  | { kind: "answer" | "window" | "settings" }
  | { kind: "stop" | "write_off" | "wait"; merchant: MerchantBalance };

/** Runs of payouts, and what the shop owes each merchant. */
export function PayoutsScreen({ runs, balances, settings, windows }: Props) {
  const t = useTranslations("console.payouts");
  const { locale } = useSurface();
  const usd = (amount: number) => formatPrice(toSignedCents(amount), locale);
  const [open, setOpen] = useState<Open>();
  const { pending, problem, act } = usePayoutAction();
  const openPage = useConsoleNavigate();
  const close = () => setOpen(undefined);
  return (
    <>
      <ConsoleHeader title={t("title")} lead={t("lead")}>
        <Button
          look="primary"
          pending={pending}
          onClick={() =>
            void act(
              (options) => api.post("/admin/payouts/runs", {}, options),
              t("prepared"),
              ({ run_id }) => openPage(`/console/payouts/${run_id}`),
            )
          }
        >
          {t("prepare")}
        </Button>
        <Button onClick={() => setOpen({ kind: "answer" })}>{t("answer")}</Button>
        <Button
          pending={pending}
          onClick={() => void act((options) => api.post("/admin/payouts/reconcile", {}, options), t("done"))}
        >
          {t("reconcile")}
        </Button>
        {windows && <Button onClick={() => setOpen({ kind: "window" })}>{t("window")}</Button>}
      </ConsoleHeader>
      {problem && !open && (
        <p role="alert" className="pb-4 text-bad">
          {problem}
        </p>
      )}
      <Facts
        rows={[
          [t("owed"), usd(balances.balance)],
          [t("in_transit"), usd(balances.in_transit)],
          [
            t("settings"),
            <button
              key="minimum"
              type="button"
              className="text-link min-h-11 cursor-pointer min-[900px]:min-h-0"
              onClick={() => setOpen({ kind: "settings" })}
            >
              {usd(settings.minimum)}
            </button>,
          ],
          [t("provider"), <ProviderBalance key="provider" settings={settings} />],
        ]}
      />
      <div className="pt-7">
        <RecordSection title={t("runs")}>
          <RecordTable
            label={t("runs")}
            rows={runs.items}
            rowId={({ run_id }) => run_id}
            empty={t("no_runs")}
            columns={[
              {
                name: t("run"),
                cell: ({ run_id, created_at }) => (
                  <ConsoleLink href={`/console/payouts/${run_id}`} className="text-link">
                    <ShortTime at={created_at} />
                  </ConsoleLink>
                ),
              },
              {
                name: t("prepared_by"),
                cell: ({ origin, prepared_by }) => (origin === "weekly" ? t("weekly") : (prepared_by ?? "–")),
              },
              {
                name: t("state"),
                cell: ({ state, waits }) => (
                  <Pill tone={RUN_TONES[state]}>{t(waits ? "asked" : `run_state.${state}`)}</Pill>
                ),
              },
              { name: t("payouts"), end: true, cell: ({ payouts }) => payouts },
              { name: t("amount"), end: true, cell: ({ amount }) => usd(amount) },
              { name: t("approved_by"), cell: ({ approved_by }) => approved_by ?? "–" },
            ]}
          />
        </RecordSection>
        <RecordSection title={t("balances")}>
          <RecordTable
            label={t("balances")}
            rows={balances.items}
            rowId={({ merchant_id }) => merchant_id}
            empty={t("no_balances")}
            columns={[
              {
                name: t("merchant"),
                cell: ({ merchant_id, merchant_name }) => (
                  <ConsoleLink href={`/console/merchants/${merchant_id}`} className="text-link">
                    {merchant_name}
                  </ConsoleLink>
                ),
              },
              { name: t("balance"), end: true, cell: ({ balance }) => usd(balance) },
              { name: t("available"), end: true, cell: ({ available }) => usd(available) },
              { name: t("in_transit"), end: true, cell: ({ in_transit }) => usd(in_transit) },
              {
                name: t("obstacle"),
                cell: ({ obstacle }) =>
                  obstacle ? <Pill tone="warn">{t(`obstacles.${obstacle}`)}</Pill> : "–",
              },
              {
                name: t("actions"),
                cell: (merchant) => (
                  <span className="flex flex-wrap gap-x-4">
                    <RowButton
                      of={merchant.merchant_name}
                      onClick={() => setOpen({ kind: "stop", merchant })}
                    >
                      {t(merchant.obstacle === "stopped" ? "go_on" : "stop")}
                    </RowButton>
                    {merchant.state === "ended" && merchant.balance < 0 && (
                      <RowButton
                        of={merchant.merchant_name}
                        onClick={() => setOpen({ kind: "write_off", merchant })}
                      >
                        {t("write_off")}
                      </RowButton>
                    )}
                    {windows && merchant.obstacle === "account_waits" && (
                      <RowButton
                        of={merchant.merchant_name}
                        onClick={() => setOpen({ kind: "wait", merchant })}
                      >
                        {t("account_wait")}
                      </RowButton>
                    )}
                  </span>
                ),
              },
            ]}
          />
        </RecordSection>
      </div>
      {open?.kind === "settings" && <SettingsDialog settings={settings} onClose={close} />}
      {open?.kind === "answer" && <AnswerDialog onClose={close} />}
      {windows && open?.kind === "window" && <WindowDialog sales={windows} onClose={close} />}
      {open && "merchant" in open && (
        <MerchantDialog kind={open.kind} merchant={open.merchant} onClose={close} />
      )}
    </>
  );
}

/** What the shop has at the payment provider, and whether it covers what is owed there. */
function ProviderBalance({ settings: { provider, lacking_funds: lacking } }: { settings: PayoutSettings }) {
  const t = useTranslations("console.payouts");
  const { locale } = useSurface();
  const usd = (amount: number) => formatPrice(toSignedCents(amount), locale);
  return (
    <span className="flex flex-wrap items-center gap-2">
      {provider ? usd(provider.available) : t("provider_none")}
      {provider && (
        <Pill tone={provider.short > 0 ? "bad" : "good"}>
          {provider.short > 0
            ? t("provider_short", { short: usd(provider.short) })
            : t("provider_ok", { needed: usd(provider.needed) })}
        </Pill>
      )}
      {lacking > 0 && <Pill tone="bad">{t("lacking", { count: lacking })}</Pill>}
      {provider && provider.unexplained > 0 && (
        <Pill tone="bad">{t("unexplained", { count: provider.unexplained })}</Pill>
      )}
    </span>
  );
}

function SettingsDialog({ settings, onClose }: { settings: PayoutSettings; onClose: () => void }) {
  const t = useTranslations("console.payouts");
  const { pending, problem, act } = usePayoutAction();
  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const minimum = parseTypedAmount(String(new FormData(event.currentTarget).get("minimum")));
    if (await act((options) => api.post("/admin/payouts/settings", { minimum }, options), t("settings_set")))
      onClose();
  }
  return (
    <FormDialog
      title={t("settings")}
      submit={t("save")}
      pending={pending}
      problem={problem}
      onSubmit={send}
      onClose={onClose}
    >
      <NumberInput
        name="minimum"
        label={t("minimum")}
        hint={t("minimum_hint")}
        defaultValue={String(settings.minimum)}
        required
      />
    </FormDialog>
  );
}

type MerchantAction = Extract<Open, { merchant: MerchantBalance }>["kind"];

/** Stops the payouts of a merchant or lets them go on, writes off its debt, or ends the waiting time of its account. */
function MerchantDialog({
  kind,
  merchant: { merchant_id: id, merchant_name: name, obstacle },
  onClose,
}: {
  kind: MerchantAction;
  merchant: MerchantBalance;
  onClose: () => void;
}) {
  const t = useTranslations("console.payouts");
  const { pending, problem, act } = usePayoutAction();
  const stopped = obstacle !== "stopped";
  const label = kind === "stop" ? t(stopped ? "stop" : "go_on") : t(kind === "wait" ? "account_wait" : kind);
  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const note = String(new FormData(event.currentTarget).get("note") ?? "");
    const call: SendCall<unknown> = (options) => {
      if (kind === "stop") return api.post(`/admin/merchants/${id}/payouts`, { stopped, note }, options);
      if (kind === "write_off") return api.post(`/admin/merchants/${id}/write-off`, {}, options);
      return api.post(`/admin/merchants/${id}/account-wait`, {}, options);
    };
    const done = await act(call, t("done"));
    if (done) onClose();
  }
  return (
    <FormDialog
      title={`${label}: ${name}`}
      submit={label}
      danger={kind === "stop" && stopped}
      pending={pending}
      problem={problem}
      onSubmit={send}
      onClose={onClose}
    >
      <p>{t(kind === "stop" ? (stopped ? "effect.stop" : "effect.go_on") : `effect.${kind}`)}</p>
      {kind === "stop" && stopped && (
        <TextInput name="note" label={t("note")} hint={t("note_hint")} maxLength={500} autoComplete="off" />
      )}
    </FormDialog>
  );
}

/** The sandbox: a sale can be paid out now. */
function WindowDialog({ sales, onClose }: { sales: WindowSale[]; onClose: () => void }) {
  const t = useTranslations("console.payouts");
  const { locale } = useSurface();
  const { pending, problem, act } = usePayoutAction();
  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const sale_id = String(new FormData(event.currentTarget).get("sale") ?? "");
    if (!sale_id) return onClose();
    if (await act((options) => api.post("/admin/payouts/end-window", { sale_id }, options), t("done")))
      onClose();
  }
  const nameOf = ({ merchant_name, product_name, amount, until }: WindowSale) =>
    [
      `${merchant_name}: ${product_name}`,
      formatPrice(toSignedCents(amount), locale),
      formatDate(until, locale, "UTC"),
    ].join(" · ");
  return (
    <FormDialog
      title={t("window")}
      submit={t(sales.length > 0 ? "window_do" : "close")}
      pending={pending}
      problem={problem}
      onSubmit={send}
      onClose={onClose}
    >
      <p className="text-quiet">{t(sales.length > 0 ? "effect.window" : "no_windows")}</p>
      {sales.length > 0 && (
        <Select
          name="sale"
          label={t("sale")}
          options={sales.map((sale) => ({ value: sale.sale_id, label: nameOf(sale) }))}
        />
      )}
    </FormDialog>
  );
}
