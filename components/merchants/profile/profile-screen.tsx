"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { EffectsDialog } from "@/components/console/effects-dialog";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { RecordSection } from "@/components/console/record";
import { MERCHANT_TONES } from "@/components/merchants/console/merchant-tones";
import { useAction } from "@/components/merchants/portal/use-action";
import { SaveProblem, useSave } from "@/components/merchants/portal/use-save";
import { Button } from "@/components/ui/button";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { type Option, Select } from "@/components/ui/select";
import { EmailInput, TextArea, TextInput } from "@/components/ui/text-input";
import type { MerchantProfile } from "@/lib/merchants/profile/contract";
import { MERCHANT_NAME_MAX, MERCHANT_TEXT_MAX } from "@/lib/merchants/rules";
import { api } from "@/lib/platform/api/client";
import { byLocale, LANGUAGE_NAMES, LOCALES } from "@/lib/platform/i18n/locales";

/** What shoppers read about a merchant, where its emails go, holidays, and pausing. */
export function ProfileScreen({ profile, countries }: { profile: MerchantProfile; countries: Option[] }) {
  const t = useTranslations("console.merchant_profile");
  const { pending, errors, save, failure } = useSave();
  async function submit(fields: FormData) {
    const text = (name: string) => String(fields.get(name) ?? "").trim();
    const body = {
      name: text("name"),
      website: text("website") || null,
      support_email: text("support_email") || null,
      country: text("country") || null,
      locale: text("locale"),
      texts: byLocale((language) => text(`texts.${language}`)),
      closed_until: text("closed_until") || null,
      revision: profile.revision,
    };
    await save((options) => api.post<MerchantProfile>("/merchant/profile", body, options), t("saved"));
  }
  return (
    <>
      <ConsoleHeader title={t("title")} lead={t("lead")} />
      {profile.proposed_name !== null && (
        <Notice kind="info" className="mb-5">
          {t("name_waits", { name: profile.proposed_name, current: profile.name })}
        </Notice>
      )}
      {profile.name_note !== null && (
        <Notice kind="warn" title={t("name_refused")} className="mb-5">
          <p className="wrap-anywhere">{profile.name_note}</p>
        </Notice>
      )}
      <form
        key={profile.revision}
        className="flex max-w-text flex-col gap-5 pb-8"
        onSubmit={(event) => {
          event.preventDefault();
          if (!pending) void submit(new FormData(event.currentTarget));
        }}
      >
        <TextInput
          name="name"
          label={t("name")}
          hint={t("name_hint")}
          defaultValue={profile.proposed_name ?? profile.name}
          maxLength={MERCHANT_NAME_MAX}
          required
          autoComplete="organization"
          error={errors.name}
        />
        {LOCALES.map((locale) => (
          <TextArea
            key={locale}
            name={`texts.${locale}`}
            label={t("text", { language: LANGUAGE_NAMES[locale] })}
            hint={locale === "en" ? t("text_hint") : undefined}
            lang={locale}
            defaultValue={profile.texts[locale]}
            maxLength={MERCHANT_TEXT_MAX}
            rows={3}
            error={errors[`texts.${locale}`]}
          />
        ))}
        <TextInput
          name="website"
          label={t("website")}
          defaultValue={profile.website ?? ""}
          maxLength={300}
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.website}
        />
        <EmailInput
          name="support_email"
          label={t("support_email")}
          hint={t("support_email_hint")}
          defaultValue={profile.support_email ?? ""}
          error={errors.support_email}
        />
        <Select
          name="country"
          label={t("country")}
          defaultValue={profile.country ?? ""}
          error={errors.country}
          options={[{ value: "", label: t("no_country") }, ...countries]}
        />
        <Select
          name="locale"
          label={t("locale")}
          defaultValue={profile.locale}
          options={LOCALES.map((locale) => ({ value: locale, label: LANGUAGE_NAMES[locale], lang: locale }))}
        />
        <TextInput
          name="closed_until"
          type="date"
          label={t("closed_until")}
          hint={t("closed_hint")}
          defaultValue={profile.closed_until ?? ""}
          error={errors.closed_until}
        />
        <SaveProblem {...failure} loadLabel={t("load")} />
        <Button type="submit" look="primary" pending={pending} className="self-start">
          {t("save")}
        </Button>
      </form>
      <SaleState profile={profile} />
    </>
  );
}

/** Whether the products are in the shop, and pausing them. */
function SaleState({ profile: { state, state_note } }: { profile: MerchantProfile }) {
  const t = useTranslations("console.merchant_profile");
  const stateName = useTranslations("console.merchant.state");
  const { pending, problem, setProblem, act } = useAction();
  const [asks, setAsks] = useState(false);
  async function change(action: "pause" | "resume") {
    const result = await act(
      (options) => api.post(`/merchant/${action}`, {}, options),
      t(action === "pause" ? "paused" : "resumed"),
    );
    if (result.ok) setAsks(false);
  }
  return (
    <RecordSection title={t("sale")}>
      <p className="flex flex-wrap items-center gap-3">
        <Pill tone={MERCHANT_TONES[state]}>{stateName(state)}</Pill>
        <span className="text-quiet">{t(`sale_${state}`)}</span>
      </p>
      {state_note && <p className="pt-2 wrap-anywhere">{state_note}</p>}
      <div className="pt-4">
        {state === "active" && (
          <Button
            onClick={() => {
              setProblem("");
              setAsks(true);
            }}
          >
            {t("pause")}
          </Button>
        )}
        {state === "paused" && (
          <Button look="primary" pending={pending} onClick={() => void change("resume")}>
            {t("resume")}
          </Button>
        )}
      </div>
      {!asks && <ErrorNotice className="mt-3">{problem}</ErrorNotice>}
      <EffectsDialog
        open={asks}
        title={t("pause_title")}
        effects={[t("effect_off"), t("effect_served"), t("effect_back")]}
        confirm={t("pause")}
        danger
        pending={pending}
        problem={problem}
        onConfirm={() => void change("pause")}
        onClose={() => setAsks(false)}
      />
    </RecordSection>
  );
}
