import { useTranslations } from "next-intl";
import { Select } from "@/components/ui/select";
import { TextArea } from "@/components/ui/text-input";
import { STAFF_ROLES } from "@/lib/platform/auth/permissions";
import { type QueueName, seesQueue } from "@/lib/staff/today/rules";

/** To whom something is handed over, and what they should know. */
export function HandOverFields({ queue, note = "" }: { queue: QueueName; note?: string }) {
  const t = useTranslations("console.inbox");
  const roleName = useTranslations("console.roles");
  const roles = STAFF_ROLES.filter((role) => seesQueue([role], queue));
  return (
    <>
      <Select
        name="role"
        label={t("role")}
        required
        defaultValue={roles.includes("finance") ? "finance" : roles[0]}
        options={roles.map((value) => ({ value, label: roleName(value) }))}
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
