"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import type { Write } from "@/components/accounts/use-calls";
import { LanguageSelect } from "@/components/shell/language-select";
import { LocalTime } from "@/components/ui/local-time";
import { type Option, Select } from "@/components/ui/select";
import { TextInput } from "@/components/ui/text-input";
import type { PhoneView, ProfilePage, UsernameView } from "@/lib/accounts/profile/contract";
import { USERNAME_PATTERN } from "@/lib/accounts/rules";
import { PHONE_COUNTRY } from "@/lib/platform/phone-country";
import { EditableRow, ProfileRow, type SaveResult } from "./profile-row";

type DetailsProps = Pick<ProfilePage, "profile" | "phone"> & { countries: readonly Option[] };

/** The user's name, phone number, language and registration date. */
export function ProfileDetails({ profile, phone, countries }: DetailsProps) {
  const t = useTranslations("accounts");
  return (
    <>
      <UsernameRow username={profile.username} />
      <PhoneRow phone={phone} countries={countries} />
      <ProfileRow
        term={t("profile.language")}
        value={
          <span className="-my-2 -ml-2.5 inline-block">
            <LanguageSelect label={t("profile.language")} />
          </span>
        }
      />
      <ProfileRow term={t("profile.since")} value={<LocalTime at={profile.member_since} format="date" />} />
    </>
  );
}

function UsernameRow({ username }: { username: string }) {
  const t = useTranslations("accounts");
  const errors = useTranslations("errors");
  const router = useRouter();
  const [savedUsername, setSavedUsername] = useState(username);

  async function save(formData: FormData, write: Write): Promise<SaveResult> {
    const newUsername = String(formData.get("new_username") ?? "").trim();
    const invalid = (message: string) => ({
      error: { message, errors: [{ path: "new_username", message }] },
    });
    if (!newUsername) return invalid(t("missing.username"));
    if (!USERNAME_PATTERN.test(newUsername)) return invalid(errors("username_invalid"));
    const result = await write<UsernameView>("put", "/auth/username/update", { new_username: newUsername });
    if (!result.ok) return { error: result };
    setSavedUsername(result.data.username);
    router.refresh();
    return { message: t("profile.username_saved") };
  }

  return (
    <EditableRow
      term={t("field.username")}
      value={savedUsername}
      save={save}
      fields={(errors) => (
        <TextInput
          label={t("field.username")}
          error={errors.new_username}
          name="new_username"
          defaultValue={savedUsername}
          autoComplete="nickname"
          maxLength={60}
          required
        />
      )}
    />
  );
}

/** The default calling country for each language. */
const DEFAULT_COUNTRY = { ...PHONE_COUNTRY, en: "US" };

/** The phone number: its country and its national number. An empty number removes it. */
function PhoneRow({ phone, countries }: Pick<DetailsProps, "phone" | "countries">) {
  const t = useTranslations("accounts.profile");
  const defaultCountry = DEFAULT_COUNTRY[useLocale()];
  const router = useRouter();

  async function save(formData: FormData, write: Write): Promise<SaveResult> {
    const text = (name: string) => String(formData.get(name) ?? "").trim();
    const body = { new_phone: text("new_phone"), country_code: text("country_code") };
    const result = await write<PhoneView>("post", "/auth/phone/update", body);
    if (!result.ok) return { error: result };
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
            hint={(errors.new_phone ?? errors.country_code) ? undefined : t("phone_hint")}
            error={errors.new_phone ?? errors.country_code}
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
