import { useTranslations } from "next-intl";
import { Select } from "@/components/ui/select";
import { TextArea } from "@/components/ui/text-input";
import { STAFF_ROLES } from "@/lib/platform/auth/permissions";

/** To whom something is handed over, and what they should know. */
export function HandOverFields({ note = "" }: { note?: string }) {
  const t = useTranslations("console.inbox");
  const roleName = useTranslations("console.roles");
  return (
    <>
      <Select
        name="role"
        label={t("role")}
        required
        defaultValue="finance"
        options={STAFF_ROLES.map((value) => ({ value, label: roleName(value) }))}
      />
      <TextArea
        name="note"
        label={t("note")}
        hint={t("note_hint")}
        required
        minLength={3}
        maxLength={500}
        rows={3}
        defaultValue={note}
      />
    </>
  );
}
