"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import type { Write } from "@/components/accounts/use-calls";
import { type Option, Select } from "@/components/ui/select";
import { TextInput } from "@/components/ui/text-input";
import type { PhoneNumberView, PhoneView } from "@/lib/accounts/profile/contract";
import { EditableRow, type Saved } from "./editable-row";

/** The default calling country for each language. */
const HOME: Record<string, string> = { en: "US", zh: "CN", ja: "JP" };

/** The phone number: its country and its national number. An empty number removes it. */
export function PhoneRow({
  phone,
  countries,
}: {
  phone: PhoneNumberView | null;
  countries: readonly Option[];
}) {
  const t = useTranslations("accounts.profile");
  const home = HOME[useLocale()];
  const router = useRouter();

  async function save(given: FormData, write: Write): Promise<Saved> {
    const text = (name: string) => String(given.get(name) ?? "").trim();
    const body = { new_phone: text("new_phone"), country_code: text("country_code") };
    const answer = await write<PhoneView>("post", "/auth/phone/update", body);
    if (!answer.ok) {
      const fault = answer.errors.find(({ path }) => path === "new_phone" || path === "country_code");
      return fault ? { faults: { new_phone: fault.message } } : { refused: answer };
    }
    router.refresh();
    return { done: t(answer.data.phone ? "phone_saved" : "phone_removed") };
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
      fields={(faults) => (
        <>
          <Select
            name="country_code"
            label={t("phone_country")}
            autoComplete="tel-country-code"
            defaultValue={phone?.country ?? home}
            options={countries}
          />
          <TextInput
            label={t("phone")}
            hint={faults.new_phone ? undefined : t("phone_hint")}
            error={faults.new_phone}
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
