"use client";

import { useLocale, useTranslations } from "next-intl";
import { type FormEvent, useRef, useState } from "react";
import { useCalls } from "@/components/accounts/use-calls";
import { type FieldErrors, useFieldErrors } from "@/components/accounts/use-field-errors";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Notice } from "@/components/ui/notice";
import { type Option, Select } from "@/components/ui/select";
import { TextInput } from "@/components/ui/text-input";
import type { BillingAddress, BillingSaved } from "@/lib/accounts/billing/contract";
import { CITY_MAX, LINE_MAX, NAME_MAX, POSTAL_CODE_MAX, REGION_MAX } from "@/lib/accounts/billing/rules";

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
  const form = useRef<HTMLFormElement>(null);
  const { errors, show, clearError } = useFieldErrors(form);
  const { problem, pending, submit } = useSave({ address, show, onSaved });
  const order = useLocale() === "en" ? SMALL_FIRST : LARGE_FIRST;
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

  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={submit}
      onChange={clearError}
      className="grid gap-4 sm:grid-cols-2 [&_.control]:scroll-my-16"
    >
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
      {problem && (
        <Notice kind="bad" live className="sm:col-span-2">
          {problem}
        </Notice>
      )}
      <div className="flex flex-col-reverse gap-2 pt-2 sm:col-span-2 sm:flex-row sm:justify-end">
        <Button onClick={onClose}>{t("cancel")}</Button>
        <Button type="submit" look="primary" pending={pending}>
          {t("save")}
        </Button>
      </div>
    </form>
  );
}

function useSave({
  address,
  show,
  onSaved,
}: {
  address: BillingAddress | null;
  show: (errors: FieldErrors) => void;
  onSaved: (saved: BillingSaved) => void;
}) {
  const labels = useTranslations("errors");
  const { pending, run, post } = useCalls(labels("network"));
  const [problem, setProblem] = useState("");

  async function save(body: object) {
    setProblem("");
    const result = await post<BillingSaved>("/auth/billing/save", body);
    if (result.ok) onSaved(result.data);
    else if (result.errors.length > 0)
      show(Object.fromEntries(result.errors.map(({ path, message }) => [path, message])));
    else setProblem(result.message);
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const formData = new FormData(event.currentTarget);
    const text = (name: string) => String(formData.get(name) ?? "").trim();
    const names = Object.keys(FIELDS) as FieldName[];
    const missing = [...names.filter((name) => FIELDS[name].required), "country"].filter(
      (name) => !text(name),
    );
    if (missing.length > 0)
      return show(Object.fromEntries(missing.map((name) => [name, labels("field_required")])));
    const values = Object.fromEntries(names.map((name) => [name, text(name)]));
    void run("save", () =>
      save({
        ...values,
        country: text("country"),
        ...(address && { address_id: address.address_id }),
        ...(formData.has("is_default") && { is_default: true }),
      }),
    );
  }
  return { problem, pending: pending !== undefined, submit };
}
