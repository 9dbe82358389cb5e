"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import type { Write } from "@/components/accounts/use-calls";
import { type Option, Select } from "@/components/ui/select";
import { TextInput } from "@/components/ui/text-input";
import type { PhoneNumberView, PhoneView } from "@/lib/accounts/profile/contract";
import { EditableRow, type SaveResult } from "./editable-row";

/** The default calling country for each language. */
const DEFAULT_COUNTRY: Record<string, string> = { en: "US", zh: "CN", ja: "JP" };

/** The phone number: its country and its national number. An empty number removes it. */
export function PhoneRow({
  phone,
  countries,
}: {
  phone: PhoneNumberView | null;
  countries: readonly Option[];
}) {
  const t = useTranslations("accounts.profile");
  const defaultCountry = DEFAULT_COUNTRY[useLocale()];
  const router = useRouter();

  async function save(formData: FormData, write: Write): Promise<SaveResult> {
    const text = (name: string) => String(formData.get(name) ?? "").trim();
    const body = { new_phone: text("new_phone"), country_code: text("country_code") };
    const result = await write<PhoneView>("post", "/auth/phone/update", body);
    if (!result.ok) {
      const fieldError = result.errors.find(({ path }) => path === "new_phone" || path === "country_code");
      return fieldError ? { fieldErrors: { new_phone: fieldError.message } } : { error: result };
    }
    router.refresh();
    return { message: t(result.data.phone ? "phone_saved" : "phone_removed") };
  }

  return (
    <EditableRow
      term={t("phone")}
      value={
        phone ? (
          <span className="figures">{phone.international}</span>
        ) : (
          <span className="text-quiet">{t("phone_none")}</span>
        )
      }
      save={save}
      fields={(errors) => (
        <>
          <Select
            name="country_code"
            label={t("phone_country")}
            autoComplete="tel-country-code"
            defaultValue={phone?.country ?? defaultCountry}
            options={countries}
          />
          <TextInput
            label={t("phone")}
            hint={errors.new_phone ? undefined : t("phone_hint")}
            error={errors.new_phone}
            name="new_phone"
            type="tel"
            defaultValue={phone?.national}
            autoComplete="tel-national"
            maxLength={40}
          />
        </>
      )}
    />
  );
}
