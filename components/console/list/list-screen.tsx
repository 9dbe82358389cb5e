"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { Fragment, type ReactNode, useEffect, useRef, useState } from "react";
import { useConsoleAddress } from "@/components/console/link";
import type { Column } from "@/components/console/list/columns";
import { type FilterTexts, useFilterWords } from "@/components/console/list/filter-labels";
import { type FilterValues, filterQuery, filtersOf } from "@/components/console/list/filter-values";
import { useHiddenColumns } from "@/components/console/list/hidden-columns";
import { KeysDialog } from "@/components/console/list/keys-dialog";
import { ListTable, type RowGroup } from "@/components/console/list/list-table";
import { ListToolbar, type ListView } from "@/components/console/list/list-toolbar";
import { Pager } from "@/components/console/list/pager";
import {
  allowed,
  type BulkAction,
  type RowAction,
  useRowActions,
} from "@/components/console/list/row-actions";
import { RowPanel } from "@/components/console/list/row-panel";
import { useListKeys } from "@/components/console/list/use-list-keys";
import { ConsoleHeader } from "@/components/console/page-header";
import { Button } from "@/components/ui/button";
import { useTimeZone } from "@/components/ui/local-time";
import { useSurface } from "@/components/ui/surface";
import type { ListFields } from "@/lib/platform/console/filter-spec";
import type { ListPage } from "@/lib/platform/console/list";
import { formatDate } from "@/lib/platform/format";

/** What the page of a list reads for its screen. */
export type ListData<Row> = {
  /** of the page: `/console/orders` */
  path: string;
  list: ListPage<Row>;
  values: FilterValues;
  fields: ListFields;
};

/** A list as its noun declares it. */
export type ListDeclaration<Row> = {
  title: string;
  lead?: ReactNode;
  /** What fills this list. */
  empty: string;
  rowId: (row: Row) => string;
  rowName: (row: Row) => string;
  /** The page of a row, which Enter opens. */
  href?: (row: Row) => string;
  columns: readonly Column<Row>[];
  group?: RowGroup<Row>;
  /** What each part is called and filters; the first is the whole list. */
  views?: readonly ListView[];
  texts?: FilterTexts;
  actions?: readonly RowAction<Row>[];
  bulk?: readonly BulkAction<Row>[];
  /** Beside the title: what makes a new one, links to neighbours. */
  tools?: ReactNode;
  /** Figures above and below the rows. */
  summary?: ReactNode;
  totals?: ReactNode;
};

/** What a console adds to all its lists. */
type Slots = {
  saved?: readonly ListView[];
  /** Saves the filters, deletes a view. */
  viewTools?: ReactNode;
  exportButton?: ReactNode;
  /** Pages by the letter after `g`. */
  goTo?: Readonly<Record<string, string>>;
};

/** A list without filters that is on one page. */
export const NO_FIELDS: ListFields = { filters: [], sorts: [] };
export const wholeList = <Row,>(items: Row[]): ListPage<Row> => ({
  items,
  next_cursor: null,
  total: items.length,
  total_exact: true,
  looked_back_to: null,
});

/** A page of a list: one line of views, filters, order, count and export, the rows, and the links to its pages. */
export function ListScreen<Row extends object>(props: ListData<Row> & ListDeclaration<Row> & Slots) {
  const { path, list, fields, title, lead, tools, summary, totals, empty } = props;
  // A value that a choice has anyway is none of the list's filters.
  const isStandard = (name: string, value: string | undefined) =>
    fields.filters.some((one) => one.name === name && one.kind === "choice" && one.standard === value) ||
    (name === "sort" && value === fields.sorts[0]);
  const withoutStandard = (given: FilterValues): FilterValues =>
    Object.fromEntries(Object.entries(given).filter(([name, value]) => !isStandard(name, value)));
  const values = withoutStandard(props.values);
  const t = useTranslations("console.table");
  const router = useRouter();
  const address = useConsoleAddress();
  const { locale } = useSurface();
  const timeZone = useTimeZone();
  const words = useFilterWords(fields.filters, props.texts ?? {});
  const [showsKeys, setShowsKeys] = useState(false);
  const shown = props.columns.filter(({ panel }) => !panel);
  const hidden = useHiddenColumns(path.split("/").slice(2).join("/") || path);
  const query = filterQuery(values);
  const open = (next: FilterValues) => {
    const hasDays = next.days || next.from || next.to;
    // The days are those of the reader's clock, in which the list shows its times.
    const zoned = { ...withoutStandard(next), time_zone: hasDays ? timeZone : undefined };
    router.push(address(path + filterQuery(zoned)));
  };
  const goTo = props.goTo ?? {};
  useListKeys({
    "/": () => document.querySelector<HTMLElement>("main form [role=combobox]")?.focus(),
    "?": () => setShowsKeys(true),
    ...Object.fromEntries(
      Object.entries(goTo).map(([letter, page]) => [`g ${letter}`, () => router.push(address(page))]),
    ),
  });
  const lookedBackTo = list.looked_back_to ? formatDate(list.looked_back_to, locale, timeZone) : undefined;
  const isFiltered = Object.keys(filtersOf(values)).length > 0;
  return (
    <>
      <ConsoleHeader title={title} lead={lead} dense>
        <p className="text-13 text-quiet max-[899px]:hidden">{t("zone", { zone: timeZone })}</p>
        {tools}
      </ConsoleHeader>
      {summary}
      <ListToolbar
        path={path}
        words={words}
        values={values}
        views={props.views ?? []}
        saved={props.saved ?? []}
        sorts={fields.sorts}
        list={list}
        columns={shown}
        hidden={hidden}
        viewTools={props.viewTools}
        exportButton={props.exportButton}
        timeZone={timeZone}
        onChange={open}
        onKeys={() => setShowsKeys(true)}
      />
      {list.items.length === 0 ? (
        <p className="rounded-control border border-hairline bg-raised px-4 py-10 text-center text-quiet">
          {isFiltered ? t("none_found") : empty}
          {lookedBackTo && ` ${t("looked", { date: lookedBackTo })}`}
        </p>
      ) : (
        // The key forgets selected rows of another part or page.
        <ListRows
          key={`${query} ${values.cursor ?? ""}`}
          {...props}
          shown={shown.filter(({ id, main }) => main || !hidden.ids.includes(id))}
        />
      )}
      {totals}
      <Pager
        lookedBackTo={lookedBackTo}
        total={list.total}
        first={values.cursor ? path + query : undefined}
        next={
          list.next_cursor ? `${path}${query || "?"}${query ? "&" : ""}cursor=${list.next_cursor}` : undefined
        }
      />
      <KeysDialog
        open={showsKeys}
        actions={props.actions ?? []}
        hasBulk={props.bulk !== undefined}
        goTo={goTo}
        onClose={() => setShowsKeys(false)}
      />
    </>
  );
}

type RowsProps<Row> = ListData<Row> & ListDeclaration<Row> & Slots & { shown: readonly Column<Row>[] };

/** The rows with what is current, selected, open and done. */
function ListRows<Row extends object>(props: RowsProps<Row>) {
  const { title, list, shown, columns, rowId, rowName, href, actions = [], bulk } = props;
  const rows = list.items;
  const t = useTranslations("console.table");
  const router = useRouter();
  const address = useConsoleAddress();
  const [current, setCurrent] = useState(-1);
  const [isPanelOpen, setPanelOpen] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [dialog, setDialog] = useState<{ render: (onClose: () => void) => ReactNode }>();
  const lastSelected = useRef<number>(undefined);
  const section = useRef<HTMLElement>(null);
  const row = rows[current];
  const chosen = rows.filter((one) => selected.has(rowId(one)));
  const act = (action: RowAction<Row>, of: Row) => {
    if (action.dialog) setDialog({ render: (onClose) => action.dialog(of, onClose) });
  };
  const { run } = useRowActions<Row>(rowName, act);
  const move = (to: number) => setCurrent(Math.max(0, Math.min(rows.length - 1, to)));
  const select = (index: number, extend: boolean) => {
    const from = extend ? (lastSelected.current ?? index) : index;
    const ids = rows.slice(Math.min(from, index), Math.max(from, index) + 1).map(rowId);
    const next = new Set(selected);
    const adds = !selected.has(rowId(rows[index]!));
    for (const id of ids) adds ? next.add(id) : next.delete(id);
    lastSelected.current = index;
    setSelected(next);
    setCurrent(index);
  };
  const runKey = (key: "a" | "r") => () => {
    const action = row && allowed(actions, row).find((one) => one.key === key);
    if (row && action) run(action, row);
  };
  useEffect(() => {
    if (current >= 0)
      section.current?.querySelector("tr[data-current]")?.scrollIntoView({ block: "nearest" });
  }, [current]);
  useListKeys({
    j: () => move(current + 1),
    k: () => move(current - 1),
    enter: () => row && href && router.push(address(href(row))),
    o: () => row && setPanelOpen(!isPanelOpen),
    x: () => row && bulk && select(current, false),
    a: runKey("a"),
    r: runKey("r"),
    escape: () => setPanelOpen(false),
  });
  return (
    <section
      ref={section}
      aria-label={title}
      className="scroll-mt-18 [&_tr]:scroll-mt-18 [&_tr]:scroll-mb-16"
    >
      <ListTable
        label={title}
        columns={shown}
        rows={rows}
        rowId={rowId}
        rowName={rowName}
        group={props.group}
        actions={actions}
        selected={bulk ? selected : undefined}
        current={current}
        onSelect={select}
        onSelectAll={() => setSelected(new Set(chosen.length === rows.length ? [] : rows.map(rowId)))}
        onPress={(index) => {
          setCurrent(index);
          setPanelOpen(true);
        }}
        onAct={act}
      />
      {bulk && chosen.length > 0 && (
        <div
          role="status"
          className="sticky bottom-0 z-20 flex min-h-12 flex-wrap items-center gap-2 border-t border-control bg-raised px-3 py-1.5"
        >
          <span className="font-medium">{t("selected", { count: chosen.length })}</span>
          {bulk.map((action) =>
            action.controls ? (
              <Fragment key={action.id}>{action.controls(chosen)}</Fragment>
            ) : (
              <Button
                key={action.id}
                onClick={() => setDialog({ render: (onClose) => action.dialog(chosen, onClose) })}
              >
                {action.label}
              </Button>
            ),
          )}
          <button
            type="button"
            className="text-link min-h-9 cursor-pointer px-1"
            onClick={() => setSelected(new Set())}
          >
            {t("select_none")}
          </button>
        </div>
      )}
      {isPanelOpen && row && (
        <RowPanel
          row={row}
          columns={columns}
          rowName={rowName}
          href={href}
          actions={actions}
          onAct={act}
          onClose={() => setPanelOpen(false)}
        />
      )}
      {dialog?.render(() => setDialog(undefined))}
    </section>
  );
}
