"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { NumberInput } from "@/components/console/number-input";
import { readTime, TimeInput } from "@/components/console/time-input";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { Select } from "@/components/ui/select";
import { TextInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import { NEW_CAMPAIGN_BUDGET } from "@/lib/coupons/console/rules";
import { api } from "@/lib/platform/api/client";
import { byLocale, HTML_LANG, LANGUAGE_NAMES, LOCALES } from "@/lib/platform/i18n/locales";
import { parseTypedAmount } from "@/lib/platform/typed-number";

/** The form of a new campaign, which is created switched off. */
export function NewCampaign({
  open,
  mayMarkFree,
  onClose,
}: {
  open: boolean;
  mayMarkFree: boolean;
  onClose: () => void;
}) {
  const t = useTranslations("console.campaigns");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const { pending, problem, run } = useCall(network);
  const [kind, setKind] = useState("amount");

  async function create(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "").trim();
    const number = (name: string) => (text(name) ? parseTypedAmount(text(name)) : undefined);
    const body = {
      campaign: text("campaign"),
      title: byLocale(text),
      amount: number("amount"),
      percent: number("percent"),
      max_discount: number("max_discount"),
      minimum: number("minimum"),
      monthly_budget: number("monthly_budget"),
      daily_budget: number("daily_budget"),
      free: fields.has("free"),
      coupon_code: text("coupon_code") || undefined,
      ends_at: readTime(fields, "ends_at"),
    };
    const result = await run((options) =>
      withReauthentication(() => api.post<{ campaign: string }>("/admin/campaigns", body, options)),
    );
    if (!result.ok) return;
    showToast(t("created"), "good");
    onClose();
    router.refresh();
  }

  return (
    <Dialog open={open} onClose={onClose} title={t("new")} closeLabel={t("close")}>
      <form className="flex flex-col gap-4" onSubmit={(event) => void create(event)}>
        {LOCALES.map((locale) => (
          <TextInput
            key={locale}
            name={locale}
            lang={HTML_LANG[locale]}
            label={t("title_in", { language: LANGUAGE_NAMES[locale] })}
            required
            maxLength={80}
          />
        ))}
        <TextInput
          name="campaign"
          label={t("short_name")}
          hint={t("short_name_hint")}
          required
          pattern="[a-z0-9][a-z0-9_\-]{1,39}"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
        />
        <div className="grid grid-cols-2 items-end gap-3">
          <Select
            name="kind"
            label={t("takes_off")}
            value={kind}
            onChange={(event) => setKind(event.target.value)}
            options={[
              { value: "amount", label: t("an_amount") },
              { value: "percent", label: t("a_percentage") },
            ]}
          />
          {kind === "amount" ? (
            <NumberInput name="amount" label={t("amount_usd")} required />
          ) : (
            <TextInput name="percent" label="%" inputMode="numeric" pattern="[1-9]\d?|100" required />
          )}
          {kind === "percent" && <NumberInput name="max_discount" label={t("at_most_usd")} required />}
          <NumberInput name="minimum" label={t("minimum_usd")} defaultValue="0" required />
        </div>
        <NumberInput
          name="monthly_budget"
          label={t("budget_usd")}
          hint={t("new_budget_hint", { amount: NEW_CAMPAIGN_BUDGET })}
          required
        />
        <NumberInput name="daily_budget" label={t("daily_usd_optional")} hint={t("daily_hint")} />
        <Checkbox
          name="free"
          label={t("free_label")}
          hint={t(mayMarkFree ? "free_hint" : "free_who")}
          disabled={!mayMarkFree}
        />
        <TextInput
          name="coupon_code"
          label={t("public_code_optional")}
          hint={t("public_code_hint")}
          maxLength={40}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
        />
        <TimeInput name="ends_at" label={t("ends_at")} required />
        <ErrorNotice>{problem}</ErrorNotice>
        <Button type="submit" look="primary" pending={pending} className="self-end">
          {t("create")}
        </Button>
      </form>
    </Dialog>
  );
}
