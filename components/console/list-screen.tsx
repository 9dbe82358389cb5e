"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { type Column, DataTable, Pager } from "@/components/console/data-table";
import { type Filter, FilterBar, type FilterValues } from "@/components/console/filter-bar";
import { filterQuery } from "@/components/console/filter-query";
import { ConsoleHeader } from "@/components/console/page-header";
import { useTimeZone } from "@/components/ui/local-time";
import { useSurface } from "@/components/ui/surface";
import type { ListPage } from "@/lib/platform/console/list";
import { formatDate } from "@/lib/platform/format";

type Props<Row> = {
  /** `orders` of `/console/orders`; also names the table's hidden columns. */
  name: string;
  /** when it is not a staff list */
  path?: string;
  title: string;
  lead?: string;
  list: ListPage<Row>;
  values: FilterValues;
  filters: readonly Filter[];
  columns: readonly Column<Row>[];
  rowId: (row: Row) => string;
  rowName: (row: Row) => string;
  href?: (row: Row) => string;
  bulk?: (rows: Row[]) => ReactNode;
  /** Values that select a part of the list with its own `empty` text and are not filters. */
  tabs?: readonly string[];
  /** What fills this list. */
  empty: string;
  /** Saved views and the export. */
  tools?: ReactNode;
  /** Figures above the filters, which they do not change. */
  summary?: ReactNode;
};

/** A page of a list: filters, views, table and the links to its pages. */
export function ListScreen<Row>(props: Props<Row>) {
  const { name, title, lead, list, values, filters, columns, rowId, rowName, href, bulk, empty, tools } =
    props;
  const { path = `/console/${name}`, tabs = [], summary } = props;
  const t = useTranslations("console.table");
  const { locale } = useSurface();
  const timeZone = useTimeZone();
  const query = filterQuery(values);
  const isFiltered = Object.keys(values).some((field) => field !== "cursor" && !tabs.includes(field));
  const lookedBackTo = list.looked_back_to ? formatDate(list.looked_back_to, locale, timeZone) : undefined;
  return (
    <>
      <ConsoleHeader title={title} lead={lead}>
        {tools}
      </ConsoleHeader>
      {summary}
      <FilterBar path={path} filters={filters} values={values} />
      <DataTable
        name={name}
        label={title}
        columns={columns}
        rows={list.items}
        rowId={rowId}
        rowName={rowName}
        href={href}
        bulk={bulk}
        empty={
          <p className="text-center text-quiet">
            {isFiltered ? t("none_found") : empty}
            {lookedBackTo && ` ${t("looked", { date: lookedBackTo })}`}
          </p>
        }
      />
      <Pager
        total={list.total}
        exact={list.total_exact}
        lookedBackTo={lookedBackTo}
        first={values.cursor ? path + query : undefined}
        next={
          list.next_cursor ? `${path}${query || "?"}${query ? "&" : ""}cursor=${list.next_cursor}` : undefined
        }
      />
    </>
  );
}
