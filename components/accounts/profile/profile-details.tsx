"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import type { Write } from "@/components/accounts/use-calls";
import { LanguageSelect } from "@/components/shell/language-select";
import type { Option } from "@/components/ui/select";
import { TextInput } from "@/components/ui/text-input";
import type { ProfilePage, UsernameView } from "@/lib/accounts/profile/contract";
import { USERNAME_PATTERN } from "@/lib/accounts/rules";
import { formatDate } from "@/lib/platform/format";
import { EditableRow, type SaveResult } from "./editable-row";
import { PhoneRow } from "./phone-row";
import { ProfileRow } from "./profile-row";

/** The user's name, phone number, language and registration date. */
export function ProfileDetails({
  profile,
  phone,
  countries,
}: Pick<ProfilePage, "profile" | "phone"> & { countries: readonly Option[] }) {
  const t = useTranslations("accounts");
  const locale = useLocale();
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
      <ProfileRow term={t("profile.since")} value={formatDate(profile.member_since, locale)} />
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
    if (!newUsername) return { fieldErrors: { new_username: t("missing.username") } };
    if (!USERNAME_PATTERN.test(newUsername))
      return { fieldErrors: { new_username: errors("username_invalid") } };
    const result = await write<UsernameView>("put", "/auth/username/update", { new_username: newUsername });
    if (!result.ok) {
      const fieldError = result.errors.find(({ path }) => path === "new_username");
      return fieldError ? { fieldErrors: { new_username: fieldError.message } } : { error: result };
    }
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
