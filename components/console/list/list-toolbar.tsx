"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useRef, useState } from "react";
import { ConsoleLink } from "@/components/console/link";
import type { Column } from "@/components/console/list/columns";
import { FilterDialog } from "@/components/console/list/filter-dialog";
import { FilterField } from "@/components/console/list/filter-field";
import {
  type FilterValues,
  filterQuery,
  filtersOf,
  sameFilters,
} from "@/components/console/list/filter-values";
import type { FilterWords } from "@/components/console/list/filter-words";
import type { HiddenColumns } from "@/components/console/list/hidden-columns";
import { Menu } from "@/components/console/menu";
import { Icon } from "@/components/ui/icon";
import { useSurface } from "@/components/ui/surface";
import type { ListPage } from "@/lib/platform/console/list";

/** A part of a list under a name. */
export type ListView = { id: string; label: string; filters: FilterValues };

type Props = {
  path: string;
  words: FilterWords;
  values: FilterValues;
  views: readonly ListView[];
  saved: readonly ListView[];
  sorts: readonly string[];
  list: Pick<ListPage<unknown>, "total" | "total_exact">;
  columns: readonly Pick<Column<never>, "id" | "header" | "main">[];
  hidden: HiddenColumns;
  viewTools: ReactNode;
  exportButton: ReactNode;
  timeZone: string;
  onChange: (values: FilterValues) => void;
  onKeys: () => void;
};

export const TOOL =
  "inline-flex h-8 flex-none cursor-pointer items-center gap-1.5 rounded-control border border-control bg-raised px-2.5 text-13 font-medium whitespace-nowrap hover:border-ink max-[899px]:h-11";

/** The one line above the rows of a list; on phones two, with the filters in a sheet. */
export function ListToolbar(props: Props) {
  const { path, words, values, views, saved, sorts, list, columns, hidden, onChange } = props;
  const t = useTranslations("console.table");
  const filter = useTranslations("console.filter");
  const { locale } = useSurface();
  const [isPicking, setPicking] = useState(false);
  const [showsMore, setShowsMore] = useState(false);
  const more = useRef<HTMLButtonElement>(null);
  const on = Object.keys(filtersOf(values)).filter((name) => name !== "time_zone").length;
  const sortOptions = sorts.map((value) => ({ value, label: t(`sort.${value as "newest"}`) }));
  const tabs = [...views, ...saved];
  const total = list.total.toLocaleString(locale);
  return (
    <div className="sticky top-0 z-20 flex min-h-10 items-center gap-1.5 bg-paper max-[899px]:static max-[899px]:flex-wrap max-[899px]:pb-2">
      {tabs.length > 0 && (
        <nav
          aria-label={t("views")}
          className="min-w-0 overflow-x-auto [scrollbar-width:none] max-[899px]:w-full"
        >
          <ul className="flex">
            {tabs.map(({ id, label, filters }) => (
              <li key={id} className="flex-none">
                <ConsoleLink
                  href={path + filterQuery({ ...filters, sort: values.sort })}
                  aria-current={sameFilters(filters, values) ? "page" : undefined}
                  className="inline-block h-10 border-b-2 border-transparent px-2.5 text-13 leading-10 whitespace-nowrap text-quiet first-letter:uppercase hover:text-ink aria-[current]:border-ink aria-[current]:font-medium aria-[current]:text-ink max-[899px]:h-11 max-[899px]:leading-11"
                >
                  {label}
                </ConsoleLink>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {props.viewTools}
      {words.filters.length > 0 ? (
        <>
          <FilterField words={words} values={values} onChange={onChange} />
          <button type="button" className={TOOL} onClick={() => setPicking(true)}>
            <Icon name="filter" size={16} />
            {on > 0 ? filter("button_on", { count: on }) : filter("title")}
          </button>
        </>
      ) : (
        <span className="flex-1" />
      )}
      {sortOptions.length > 1 && (
        <select
          aria-label={t("sort_label")}
          value={values.sort ?? sorts[0]}
          onChange={(event) => onChange({ ...values, sort: event.target.value })}
          className={`${TOOL} max-[899px]:hidden`}
        >
          {sortOptions.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
      <p
        role="status"
        className="figures flex-none px-1 text-13 whitespace-nowrap text-quiet max-[899px]:flex-1"
      >
        {list.total_exact ? t("count", { count: list.total }) : t("count_more", { total })}
      </p>
      {props.exportButton}
      <button
        ref={more}
        type="button"
        aria-label={t("more")}
        title={t("more")}
        aria-haspopup="menu"
        aria-expanded={showsMore}
        onClick={() => setShowsMore(!showsMore)}
        className={`${TOOL} max-[899px]:hidden`}
      >
        <span aria-hidden="true">⋯</span>
      </button>
      {showsMore && (
        <Menu
          label={t("more")}
          anchor={more}
          onClose={() => setShowsMore(false)}
          items={[
            { id: "keys", label: t("keys"), onSelect: props.onKeys },
            ...columns
              .filter(({ main }) => !main)
              .map(({ id, header }) => ({
                id: `column ${id}`,
                label: header,
                checked: !hidden.ids.includes(id),
                onSelect: () => hidden.toggle(id),
              })),
          ]}
        />
      )}
      <FilterDialog
        open={isPicking}
        words={words}
        values={values}
        sorts={sortOptions}
        timeZone={props.timeZone}
        onChange={onChange}
        onClose={() => setPicking(false)}
      />
    </div>
  );
}
