"use client";

import { useLocale, useTranslations } from "next-intl";
import { type ReadField, useForm } from "@/components/accounts/use-form";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { ErrorNotice } from "@/components/ui/notice";
import { type Option, Select } from "@/components/ui/select";
import { TextInput } from "@/components/ui/text-input";
import type { BillingAddress, BillingSaved } from "@/lib/accounts/billing/contract";
import { CITY_MAX, LINE_MAX, NAME_MAX, POSTAL_CODE_MAX, REGION_MAX } from "@/lib/accounts/billing/rules";
import type { Locale } from "@/lib/platform/i18n/locales";

const FIELDS = {
  full_name: { autoComplete: "billing name", maxLength: NAME_MAX, required: true },
  line1: { autoComplete: "billing address-line1", maxLength: LINE_MAX, required: true },
  line2: { autoComplete: "billing address-line2", maxLength: LINE_MAX, required: false },
  city: { autoComplete: "billing address-level2", maxLength: CITY_MAX, required: true },
  region: { autoComplete: "billing address-level1", maxLength: REGION_MAX, required: false },
  postal_code: { autoComplete: "billing postal-code", maxLength: POSTAL_CODE_MAX, required: false },
} as const;
type FieldName = keyof typeof FIELDS;
/** Short fields that share a row in pairs when there is room. */
const HALF: ReadonlySet<FieldName> = new Set(["city", "region", "postal_code"]);

/** Address field order: smallest unit first or largest unit first, depending on the reader's language. */
const SMALL_FIRST: FieldName[] = ["line1", "line2", "city", "region", "postal_code"];
const LARGE_FIRST: FieldName[] = ["postal_code", "region", "city", "line1", "line2"];

const ADDRESS_ORDER: Record<Locale, readonly FieldName[]> = {
  en: SMALL_FIRST,
  zh: LARGE_FIRST,
  ja: LARGE_FIRST,
};

/** The form to add or edit a billing address. Input is kept after a failed submission. */
export function BillingForm({
  address,
  first,
  countries,
  onSaved,
  onClose,
}: {
  address: BillingAddress | null;
  /** The first address becomes the default automatically. */
  first: boolean;
  countries: readonly Option[];
  onSaved: (saved: BillingSaved) => void;
  onClose: () => void;
}) {
  const t = useTranslations("accounts.billing");
  const messages = useTranslations("errors");
  const { errors, show, showError, problem, pending, run, post, formProps } = useForm(messages("network"));
  const order = ADDRESS_ORDER[useLocale()];
  const field = (name: FieldName) => (
    <TextInput
      key={name}
      name={name}
      label={FIELDS[name].required ? t(name) : t("optional", { field: t(name) })}
      defaultValue={address?.[name] ?? ""}
      error={errors[name]}
      className={HALF.has(name) ? undefined : "sm:col-span-2"}
      {...FIELDS[name]}
    />
  );

  async function save(body: object) {
    const result = await post<BillingSaved>("/auth/billing/save", body);
    if (result.ok) onSaved(result.data);
    else showError(result);
  }

  function submit(text: ReadField, fields: FormData) {
    const names = [...(Object.keys(FIELDS) as FieldName[]), "country"] as const;
    const values = Object.fromEntries(names.map((name) => [name, text(name).trim()]));
    const missing = names.filter((name) => !values[name] && (name === "country" || FIELDS[name].required));
    if (missing.length > 0)
      return show(Object.fromEntries(missing.map((name) => [name, messages("field_required")])));
    const body = {
      ...values,
      ...(address && { address_id: address.address_id }),
      ...(fields.has("is_default") && { is_default: true }),
    };
    return run("save", () => save(body));
  }

  return (
    <form {...formProps(submit)} className="grid gap-4 sm:grid-cols-2 [&_.control]:scroll-my-16">
      {field("full_name")}
      <Select
        name="country"
        label={t("country")}
        autoComplete="billing country"
        defaultValue={address?.country ?? ""}
        error={errors.country}
        className="sm:col-span-2"
        options={[{ value: "", label: t("country_choose") }, ...countries]}
        required
      />
      {order.map(field)}
      {!first && !address?.is_default && (
        <Checkbox name="is_default" label={t("make_default")} className="sm:col-span-2" />
      )}
      <ErrorNotice className="sm:col-span-2">{problem}</ErrorNotice>
      <div className="flex flex-col-reverse gap-2 pt-2 sm:col-span-2 sm:flex-row sm:justify-end">
        <Button onClick={onClose}>{t("cancel")}</Button>
        <Button type="submit" look="primary" pending={pending !== undefined}>
          {t("save")}
        </Button>
      </div>
    </form>
  );
}
