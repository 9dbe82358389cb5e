"use client";

import { useTranslations } from "next-intl";
import { Fragment, useMemo } from "react";
import { type Column, DataTable, Pager } from "@/components/console/data-table";
import { type Filter, FilterBar, type FilterValues } from "@/components/console/filter-bar";
import { filterQuery } from "@/components/console/filter-query";
import { ConsoleHeader } from "@/components/console/page-header";
import { ShortTime } from "@/components/console/time";
import { useTimeZone } from "@/components/ui/local-time";
import { useSurface } from "@/components/ui/surface";
import { formatDate, formatMoment } from "@/lib/platform/format";
import type { AuditEntryView, AuditList } from "@/lib/staff/audit/contract";

const PATH = "/console/audit";

/** The audit log: who did what, about what, before and after, and the state of its chain. */
export function AuditScreen({ list, values }: { list: AuditList; values: FilterValues }) {
  const t = useTranslations("console.audit");
  const { locale } = useSurface();
  const timeZone = useTimeZone();
  const filters: Filter[] = [
    { name: "actor", label: t("actor"), kind: "text", first: true },
    { name: "action", label: t("action"), kind: "text", first: true },
    { name: "subject", label: t("subject"), kind: "text", first: true },
  ];
  const columns = useMemo(
    (): Column<AuditEntryView>[] => [
      { id: "at", header: t("at"), main: true, cell: ({ at }) => <ShortTime at={at} /> },
      { id: "actor", header: t("actor"), cell: ({ actor }) => <Name>{actor}</Name> },
      {
        id: "action",
        header: t("action"),
        cell: ({ action }) => (
          <code className="font-mono text-13">{action.split(/(?<=[._])/).map(breakable)}</code>
        ),
      },
      {
        id: "subject",
        header: t("subject"),
        cell: ({ subject, subject_name }) => <Name>{subject_name ?? subject}</Name>,
      },
      { id: "detail", header: t("detail"), cell: ({ detail }) => <Detail detail={detail} /> },
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

const text = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(text).join(", ") || "–"
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);

/** A part of an action's name, after which the line may end. */
const breakable = (part: string) => (
  <Fragment key={part}>
    {part}
    <wbr />
  </Fragment>
);

/** An address or an id, which may break anywhere. */
const Name = ({ children }: { children: string }) => (
  <span className="inline-block wrap-anywhere min-[900px]:min-w-32">{children}</span>
);

/** What an entry tells beside its subject: each value by its name. */
function Detail({ detail }: { detail: AuditEntryView["detail"] }) {
  if (!detail) return null;
  return (
    <dl className="grid grid-cols-1 gap-x-2 text-13 min-[900px]:min-w-64 min-[900px]:grid-cols-[auto_minmax(9rem,1fr)]">
      {Object.entries(detail)
        .sort(([a], [b]) => Number(b === "before") - Number(a === "before"))
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-quiet">{name}</dt>
            <dd className="wrap-anywhere">{text(value)}</dd>
          </div>
        ))}
    </dl>
  );
}
