"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { type Column, DataTable, Pager } from "@/components/console/data-table";
import type { FilterValues } from "@/components/console/filter-bar";
import { filterQuery } from "@/components/console/filter-query";
import { ImportPill } from "@/components/console/import-parts";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { ShortTime } from "@/components/console/time";
import { useSurface } from "@/components/ui/surface";
import type { ImportRunItem, ImportRunList } from "@/lib/staff/imports/contract";
import type { ImportKind } from "@/lib/staff/imports/rules";
import { ImportFlow } from "./import-flow";

const PATH = "/console/imports";

/** A new import, and those that ran before. */
export function ImportsScreen({
  kinds,
  list,
  values,
}: {
  kinds: readonly ImportKind[];
  list: ImportRunList;
  values: FilterValues;
}) {
  const t = useTranslations("console.imports");
  const { locale } = useSurface();
  const columns = useMemo(
    (): Column<ImportRunItem>[] => [
      {
        id: "name",
        header: t("file"),
        main: true,
        cell: ({ import_id, name }) => (
          <ConsoleLink href={`${PATH}/${import_id}`} className="text-link wrap-anywhere">
            {name}
          </ConsoleLink>
        ),
      },
      { id: "kind", header: t("kind"), cell: ({ kind }) => t(`kinds.${kind}`) },
      {
        id: "state",
        header: t("state_name"),
        cell: ({ state }) => <ImportPill state={state} />,
      },
      {
        id: "written",
        header: t("written"),
        align: "end",
        cell: ({ counts }) => (counts.added + counts.changed).toLocaleString(locale),
      },
      {
        id: "refused",
        header: t("refused"),
        align: "end",
        cell: ({ counts }) => counts.refused.toLocaleString(locale),
      },
      { id: "by", header: t("started_by"), cell: ({ started_by }) => started_by },
      {
        id: "at",
        header: t("started_at"),
        oneLine: true,
        cell: ({ started_at }) => <ShortTime at={started_at} />,
      },
    ],
    [t, locale],
  );
  const query = filterQuery(values);
  return (
    <>
      <ConsoleHeader title={t("title")} lead={t("lead")} />
      <section aria-label={t("new")} className="max-w-4xl pb-10">
        <h2 className="pb-3 text-17 font-semibold">{t("new")}</h2>
        <ImportFlow kinds={kinds} />
      </section>
      <section>
        <h2 className="text-17 font-semibold">{t("history")}</h2>
        <DataTable
          name="imports"
          label={t("history")}
          columns={columns}
          rows={list.items}
          rowId={({ import_id }) => import_id}
          rowName={({ name }) => name}
          href={({ import_id }) => `${PATH}/${import_id}`}
          empty={<p className="text-center text-quiet">{t("empty")}</p>}
        />
        <Pager
          total={list.total}
          exact={list.total_exact}
          first={values.cursor ? PATH + query : undefined}
          next={
            list.next_cursor
              ? `${PATH}${query || "?"}${query ? "&" : ""}cursor=${list.next_cursor}`
              : undefined
          }
        />
      </section>
    </>
  );
}
