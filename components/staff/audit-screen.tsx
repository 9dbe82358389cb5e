"use client";

import { useTranslations } from "next-intl";
import { useActorName } from "@/components/console/actor";
import { ConsoleLink } from "@/components/console/link";
import { columnsOf } from "@/components/console/list/columns";
import { AuditDetail, AuditRaw } from "@/components/staff/audit-detail";
import { StaffList } from "@/components/staff/staff-list";
import { useTimeZone } from "@/components/ui/local-time";
import { useSurface } from "@/components/ui/surface";
import { seesOwnOnly } from "@/lib/platform/auth/permissions";
import { formatMoment } from "@/lib/platform/format";
import type { AuditEntryView, AuditList } from "@/lib/staff/audit/contract";
import { subjectPath } from "@/lib/staff/audit/rules-detail";
import type { StaffListData } from "@/lib/staff/lists/contract";

const column = columnsOf<AuditEntryView>();

/** The audit log: who did what, about what, before and after, and the state of its chain. */
export function AuditScreen({ fields, ...data }: StaffListData<AuditList>) {
  const t = useTranslations("console.audit");
  const actorName = useActorName();
  const { locale } = useSurface();
  const timeZone = useTimeZone();
  // Support and catalogue see what they did themselves.
  const ownOnly = seesOwnOnly(data.roles, "audit.read");
  const { chain } = data.list;
  const lead = chain
    ? t("chain", {
        position: chain.position,
        time: formatMoment(chain.sealed_at, locale, timeZone),
        waiting: chain.waiting,
      })
    : t("no_chain");
  return (
    <StaffList
      {...data}
      fields={
        ownOnly ? { ...fields, filters: fields.filters.filter(({ name }) => name !== "actor") } : fields
      }
      declared={{
        title: t("title"),
        lead: ownOnly ? `${t("own_only")} ${lead}` : lead,
        empty: t("empty"),
        rowId: ({ entry_id }) => String(entry_id),
        rowName: ({ action, entry_id }) => `${action} ${entry_id}`,
        texts: { main: "subject" },
        columns: [
          column.time("at", t("at"), ({ at }) => at),
          column.cell(
            "actor",
            t("actor"),
            ({ by: { id, email, name } }) => (
              <>
                {actorName(email ?? id)} {name && <span className="text-quiet">{name}</span>}
              </>
            ),
            { card: "sub" },
          ),
          column.cell("action", t("action"), ({ action }) => <Action action={action} />, { main: true }),
          column.cell(
            "subject",
            t("subject"),
            ({ subject, subject_name: name }) => {
              const path = subjectPath(subject, name);
              return path ? (
                <ConsoleLink href={path} className="text-link">
                  {name ?? subject}
                </ConsoleLink>
              ) : (
                (name ?? subject)
              );
            },
            { card: "mark" },
          ),
          column.text("subject_id", t("subject_id"), ({ subject }) => subject, { panel: true }),
          column.text("action_name", t("action_name"), ({ action }) => action, { panel: true }),
          column.cell("detail", t("detail"), (entry) => <AuditDetail entry={entry} />),
          column.cell("raw", t("raw"), (entry) => <AuditRaw entry={entry} />, { panel: true }),
          column.text("position", t("seal"), ({ position }) => position ?? t("unsealed"), {
            width: 96,
            end: true,
            minor: true,
          }),
        ],
      }}
    />
  );
}

/** What was done, in words; without any, the name by which the log is filtered. */
function Action({ action }: { action: string }) {
  const t = useTranslations("console.audit.done");
  const key = action.replaceAll(".", "_") as "note_added";
  return t.has(key) ? t(key) : <code className="font-mono">{action}</code>;
}
