"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { ActorName, CUT_LINE, NameWithId } from "@/components/console/actor";
import { type Column, DataTable, Pager } from "@/components/console/data-table";
import { type Filter, FilterBar, type FilterValues } from "@/components/console/filter-bar";
import { filterQuery } from "@/components/console/filter-query";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { ShortTime } from "@/components/console/time";
import { AuditDetail } from "@/components/staff/audit-detail";
import { useTimeZone } from "@/components/ui/local-time";
import { useSurface } from "@/components/ui/surface";
import { formatDate, formatMoment } from "@/lib/platform/format";
import type { AuditEntryView, AuditList } from "@/lib/staff/audit/contract";
import { subjectPath } from "@/lib/staff/audit/rules-detail";

const PATH = "/console/audit";

/** The audit log: who did what, about what, before and after, and the state of its chain. */
export function AuditScreen({
  list,
  values,
  ownOnly,
}: {
  list: AuditList;
  values: FilterValues;
  /** The viewer sees what they did themselves. */
  ownOnly: boolean;
}) {
  const t = useTranslations("console.audit");
  const { locale } = useSurface();
  const timeZone = useTimeZone();
  const filters: Filter[] = [
    ...(ownOnly ? [] : [{ name: "actor", label: t("actor_filter"), kind: "text", first: true } as const]),
    { name: "action", label: t("action_filter"), kind: "text", first: true },
    { name: "subject", label: t("subject_filter"), kind: "text", first: true },
  ];
  const columns = useMemo(
    (): Column<AuditEntryView>[] => [
      { id: "at", header: t("at"), main: true, cell: ({ at }) => <ShortTime at={at} /> },
      { id: "actor", header: t("actor"), cell: ({ by }) => <ActorName actor={by} /> },
      { id: "action", header: t("action"), cell: ({ action }) => <Action action={action} /> },
      {
        id: "subject",
        header: t("subject"),
        cell: ({ subject, subject_name }) => <Subject subject={subject} name={subject_name} />,
      },
      { id: "detail", header: t("detail"), cell: (entry) => <AuditDetail entry={entry} /> },
      {
        id: "position",
        header: t("seal"),
        align: "end",
        cell: ({ position }) => position ?? t("unsealed"),
      },
    ],
    [t],
  );
  const { chain } = list;
  const query = filterQuery(values);
  return (
    <>
      <ConsoleHeader
        title={t("title")}
        lead={
          chain
            ? t("chain", {
                position: chain.position,
                time: formatMoment(chain.sealed_at, locale, timeZone),
                waiting: chain.waiting,
              })
            : t("no_chain")
        }
      />
      {ownOnly && <p className="pb-4 text-quiet">{t("own_only")}</p>}
      <FilterBar path={PATH} filters={filters} values={values} />
      <DataTable
        name="audit"
        label={t("title")}
        columns={columns}
        rows={list.items}
        rowId={({ entry_id }) => String(entry_id)}
        rowName={({ action, entry_id }) => `${action} ${entry_id}`}
        empty={t("empty")}
      />
      <Pager
        total={list.total}
        exact={list.total_exact}
        lookedBackTo={list.looked_back_to ? formatDate(list.looked_back_to, locale, timeZone) : undefined}
        first={values.cursor ? PATH + query : undefined}
        next={
          list.next_cursor ? `${PATH}${query || "?"}${query ? "&" : ""}cursor=${list.next_cursor}` : undefined
        }
      />
    </>
  );
}

/** What was done, in words, with the name by which the log is filtered. */
function Action({ action }: { action: string }) {
  const t = useTranslations("console.audit.done");
  const key = action.replaceAll(".", "_") as "note_added";
  return (
    <span className="block min-[900px]:min-w-40">
      {t.has(key) && <span className="block">{t(key)}</span>}
      <code className={`${CUT_LINE} font-mono text-13 text-quiet`} title={action}>
        {action}
      </code>
    </span>
  );
}

/** What an entry is about: a link where it has a page, with its id. */
function Subject({ subject, name }: { subject: string; name: string | null }) {
  const path = subjectPath(subject, name);
  const text = name ?? subject;
  return (
    <NameWithId
      name={
        path ? (
          <ConsoleLink href={path} className="text-link">
            {text}
          </ConsoleLink>
        ) : (
          text
        )
      }
      id={name === null ? null : subject}
    />
  );
}
