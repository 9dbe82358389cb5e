"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useState } from "react";
import { EffectsDialog } from "@/components/console/effects-dialog";
import { FormDialog } from "@/components/console/form-dialog";
import { NumberInput } from "@/components/console/number-input";
import { Facts, RecordSection } from "@/components/console/record";
import { ShortDate, ShortTime } from "@/components/console/time";
import { useAction } from "@/components/merchants/portal/use-action";
import { Button } from "@/components/ui/button";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { useSurface } from "@/components/ui/surface";
import { TextInput } from "@/components/ui/text-input";
import type { PayoutAccounts, PayoutAccountView } from "@/lib/payouts/accounts/contract";
import type { MerchantMoney } from "@/lib/payouts/money/contract";
import { TYPED_SCHEMES, type TypedScheme, WEEKDAYS } from "@/lib/payouts/rules";
import { api } from "@/lib/platform/api/client";
import type { Locale } from "@/lib/platform/i18n/locales";
import { formatPrice, toCents, toDecimal } from "@/lib/platform/money";
import { parseTypedAmount } from "@/lib/platform/typed-number";

type Props = {
  next: MerchantMoney["next_payout"];
  accounts: PayoutAccounts;
  /** the viewer is an owner of a merchant that may change things */
  canChange: boolean;
};

/** 1 January 2024 was a Monday. */
const dayName = (weekday: number, locale: Locale) =>
  new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" }).format(Date.UTC(2024, 0, weekday));

/** What the provider asks for, by a part of its name for it. */
const REQUIREMENTS = {
  document: /document/,
  terms: /attestation|terms_of_service/,
  bank: /bank|external_account/,
};
const requirementOf = (name: string) =>
  (Object.keys(REQUIREMENTS) as (keyof typeof REQUIREMENTS)[]).find((kind) =>
    REQUIREMENTS[kind].test(name),
  ) ?? "details";

const useAccountName = () => {
  const t = useTranslations("console.merchant_payouts");
  const { locale } = useSurface();
  const countries = new Intl.DisplayNames([locale], { type: "region" });
  return ({ scheme, country, last_four }: PayoutAccountView) =>
    scheme === "provider"
      ? t("account_provider", { last: last_four })
      : t("account_name", { country: countries.of(country) ?? country, last: last_four });
};

/** When the merchant is paid next, to which account, and what it chose about it. */
export function PayoutSettings({ next, accounts, canChange }: Props) {
  const t = useTranslations("console.merchant_payouts");
  const { locale } = useSurface();
  const nameOf = useAccountName();
  const [open, setOpen] = useState<"account" | "terms" | "cancel">();
  const { current, waiting } = accounts;
  const close = () => setOpen(undefined);
  const { expired, connect } = useConnect(canChange);
  return (
    <RecordSection title={t("title")}>
      {expired && (
        <Notice kind="warn" className="mb-4">
          {t("connect_again")}
        </Notice>
      )}
      <ErrorNotice className="mb-4">{connect.problem}</ErrorNotice>
      {waiting && (
        <Notice kind="warn" className="mb-4">
          <p>
            {t.rich("waits", {
              account: nameOf(waiting),
              by: waiting.set_by ?? t("somebody"),
              time: () => <ShortTime key="time" at={waiting.counts_from} />,
            })}
          </p>
          {canChange && (
            <Button className="mt-2" onClick={() => setOpen("cancel")}>
              {t("cancel_change")}
            </Button>
          )}
        </Notice>
      )}
      <Facts
        rows={[
          [t("next"), <NextPayout key="next" next={next} />],
          [t("account"), current ? nameOf(current) : t("no_account")],
          accounts.provider !== null && [
            t("provider_state"),
            <span key="provider">
              {t(`provider.${accounts.provider.state}`)}
              {accounts.provider.requirements.length > 0 && (
                <span className="block text-13 text-quiet">
                  {[...new Set(accounts.provider.requirements.map(requirementOf))]
                    .map((name) => t(`requirement.${name}`))
                    .join(", ")}
                </span>
              )}
            </span>,
          ],
          [t("day"), dayName(next.weekday, locale)],
          [t("threshold"), formatPrice(toCents(next.threshold), locale)],
        ]}
      />
      {canChange && accounts.method === "stripe_connect" && (
        <p className="max-w-text pt-4 text-13 text-quiet">{t("connect_hint")}</p>
      )}
      {canChange && (
        <p className="flex flex-wrap gap-3 pt-4">
          {accounts.method === "manual" ? (
            <Button onClick={() => setOpen("account")}>
              {t(current || waiting ? "change_account" : "add_account")}
            </Button>
          ) : (
            <Button pending={connect.pending} onClick={() => void connect.open()}>
              {t("connect")}
            </Button>
          )}
          <Button onClick={() => setOpen("terms")}>{t("change_terms")}</Button>
        </p>
      )}
      {open === "account" && <AccountDialog onClose={close} />}
      {open === "terms" && <TermsDialog next={next} onClose={close} />}
      {waiting && open === "cancel" && <CancelDialog account={waiting} onClose={close} />}
    </RecordSection>
  );
}

/** Opens the payment provider's page, and reads the account's state when its page leads back (`?connect=done`, `again`). */
function useConnect(canChange: boolean) {
  const { pending, problem, act } = useAction();
  const router = useRouter();
  const [expired, setExpired] = useState(false);
  const back = useSearchParams().get("connect");
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each way back
  useEffect(() => {
    if (!back || !canChange) return;
    setExpired(back === "again");
    router.replace(location.pathname);
    if (back === "done") void act((options) => api.post("/merchant/money/connect/check", {}, options));
  }, [back, canChange]);
  async function open() {
    const result = await act((options) => api.post("/merchant/money/connect", {}, options));
    if (result.ok) location.assign(result.data.url);
  }
  return { expired, connect: { pending, problem, open } };
}

function NextPayout({ next: { on, amount, threshold, obstacle, note } }: { next: Props["next"] }) {
  const t = useTranslations("console.merchant_payouts");
  const { locale } = useSurface();
  const usd = (value: number) => formatPrice(toCents(value), locale);
  if (obstacle)
    return (
      <>
        {t(`obstacle.${obstacle}`)}
        {note && <span className="block text-quiet">{note}</span>}
      </>
    );
  return (
    <>
      {on && <ShortDate at={`${on}T12:00:00Z`} />}
      <span className="block text-13 text-quiet">
        {amount > 0 ? t("amount_now", { amount: usd(amount) }) : t("below", { amount: usd(threshold) })}
      </span>
    </>
  );
}

/** The account: all owners are mailed, and it counts after 48 hours. */
function AccountDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("console.merchant_payouts");
  const { pending, problem, act } = useAction();
  const [scheme, setScheme] = useState<TypedScheme>("iban");
  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "").trim();
    const holder = text("holder");
    const body =
      scheme === "iban"
        ? { scheme, holder, iban: text("iban") }
        : {
            scheme,
            holder,
            country: text("country").toUpperCase(),
            bank: text("bank"),
            account: text("account"),
          };
    const result = await act(
      (options) => api.post("/merchant/money/account", body, options),
      t("account_set"),
    );
    if (result.ok) onClose();
  }
  return (
    <FormDialog
      title={t("add_account")}
      submit={t("save")}
      pending={pending}
      problem={problem}
      onSubmit={send}
      onClose={onClose}
    >
      <p className="text-quiet">{t("account_waits")}</p>
      <Select
        name="scheme"
        label={t("scheme")}
        value={scheme}
        onChange={(event) => setScheme(TYPED_SCHEMES.find((one) => one === event.target.value) ?? "iban")}
        options={TYPED_SCHEMES.map((value) => ({ value, label: t(`scheme_${value}`) }))}
      />
      <TextInput name="holder" label={t("holder")} required maxLength={70} autoComplete="off" />
      {scheme === "iban" ? (
        <TextInput name="iban" label={t("iban")} required maxLength={50} autoComplete="off" />
      ) : (
        <>
          <TextInput
            name="country"
            label={t("country")}
            hint={t("country_hint")}
            required
            maxLength={2}
            pattern="[A-Za-z]{2}"
            autoComplete="off"
          />
          <TextInput
            name="bank"
            label={t("bank")}
            hint={t("bank_hint")}
            required
            maxLength={20}
            autoComplete="off"
          />
          <TextInput name="account" label={t("number")} required maxLength={40} autoComplete="off" />
        </>
      )}
    </FormDialog>
  );
}

function TermsDialog({ next, onClose }: { next: Props["next"]; onClose: () => void }) {
  const t = useTranslations("console.merchant_payouts");
  const { locale } = useSurface();
  const { pending, problem, act } = useAction();
  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const body = {
      weekday: Number(fields.get("weekday")),
      threshold: parseTypedAmount(String(fields.get("threshold"))),
    };
    const result = await act((options) => api.post("/merchant/money/terms", body, options), t("terms_set"));
    if (result.ok) onClose();
  }
  return (
    <FormDialog
      title={t("change_terms")}
      submit={t("save")}
      pending={pending}
      problem={problem}
      onSubmit={send}
      onClose={onClose}
    >
      <Select
        name="weekday"
        label={t("day")}
        defaultValue={String(next.weekday)}
        options={WEEKDAYS.map((day) => ({ value: String(day), label: dayName(day, locale) }))}
      />
      <NumberInput
        name="threshold"
        label={t("threshold_usd")}
        hint={t("threshold_hint", { amount: formatPrice(toCents(next.minimum), locale) })}
        defaultValue={String(toDecimal(toCents(next.threshold)))}
        required
      />
    </FormDialog>
  );
}

function CancelDialog({ account, onClose }: { account: PayoutAccountView; onClose: () => void }) {
  const t = useTranslations("console.merchant_payouts");
  const nameOf = useAccountName();
  const { pending, problem, act } = useAction();
  const confirm = async () => {
    const body = { account_id: account.account_id };
    const result = await act(
      (options) => api.post("/merchant/money/account/cancel", body, options),
      t("change_cancelled"),
    );
    if (result.ok) onClose();
  };
  return (
    <EffectsDialog
      open
      title={t("cancel_change")}
      effects={[t("effect_cancel", { account: nameOf(account) }), t("effect_mail")]}
      confirm={t("cancel_change")}
      danger
      dismiss={t("keep")}
      pending={pending}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}
