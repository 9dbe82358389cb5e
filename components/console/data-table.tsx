"use client";

import {
  columnVisibilityFeature,
  createColumnHelper,
  rowSelectionFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useConsoleAddress } from "@/components/console/link";
import { classNames } from "@/components/ui/class-names";
import { Dialog } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";

export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Numbers are aligned to the end. */
  align?: "end";
  /** Always shown, and without its header on a card: the row's name, its actions. */
  main?: boolean;
  /** On one line, as numbers and times. */
  oneLine?: boolean;
};

type Props<Row> = {
  /** Names the table in the browser's storage of hidden columns. */
  name: string;
  label: string;
  columns: readonly Column<Row>[];
  rows: Row[];
  rowId: (row: Row) => string;
  /** The row's name for screen readers. */
  rowName: (row: Row) => string;
  /** The page of a row, which Enter opens. */
  href?: (row: Row) => string;
  /** Actions on the selected rows; without any, rows cannot be selected. */
  bulk?: (rows: Row[]) => ReactNode;
  /** What fills this list, and the link to it. */
  empty: ReactNode;
};

const features = tableFeatures({ rowSelectionFeature, columnVisibilityFeature });
const storageKey = (name: string) => `console:${name}:hidden`;

function readHidden(name: string): Record<string, boolean> {
  try {
    const ids = JSON.parse(localStorage.getItem(storageKey(name)) ?? "[]") as string[];
    return Object.fromEntries(ids.map((id) => [id, false]));
  } catch {
    return {};
  }
}

function storeHidden(name: string, hidden: string[]): void {
  try {
    localStorage.setItem(storageKey(name), JSON.stringify(hidden));
  } catch {
    // Storage may be blocked. The choice then lasts for this page.
  }
}

/** Whether a key belongs to a field. The box of a row takes no letters. */
const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement &&
  target.closest("input:not([type=checkbox]), select, textarea, dialog, [contenteditable]") !== null;

/**
 * The table of the consoles: a page of rows, with selection, hidden columns and keys (j and k move, Enter opens, x selects,
 * / goes to the filters, ? lists the keys). Below 900 px each row is a card.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { name, label, columns, rows, rowId, rowName, href, bulk, empty } = props;
  const t = useTranslations("console.table");
  const router = useRouter();
  const address = useConsoleAddress();
  const body = useRef<HTMLTableSectionElement>(null);
  const lastSelected = useRef<number>(undefined);
  const [current, setCurrent] = useState(-1);
  const [showsKeys, setShowsKeys] = useState(false);
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, { row: Row }>();
    return columns.map(({ id, header, cell }) =>
      helper.display({ id, header, cell: ({ row }) => cell(row.original.row) }),
    );
  }, [columns]);
  const data = useMemo(() => rows.map((row) => ({ row })), [rows]);
  const table = useTable({ features, columns: definitions, data, getRowId: ({ row }) => rowId(row) });
  const tableRows = table.getRowModel().rows;
  const selected = tableRows.filter((row) => row.getIsSelected());
  const allSelected = selected.length === tableRows.length;

  // The stored choice is known in the browser only.
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once for each table
  useEffect(() => table.setColumnVisibility(readHidden(name)), [name]);

  function selectTo(index: number, extend: boolean): void {
    const from = extend ? (lastSelected.current ?? index) : index;
    const value = !tableRows[index]?.getIsSelected();
    for (const row of tableRows.slice(Math.min(from, index), Math.max(from, index) + 1))
      row.toggleSelected(value);
    lastSelected.current = index;
  }

  useEffect(() => {
    const move = (to: number) => {
      const next = Math.max(0, Math.min(rows.length - 1, to));
      setCurrent(next);
      body.current?.rows[next]?.scrollIntoView({ block: "nearest" });
    };
    const keys: Record<string, () => void> = {
      j: () => move(current + 1),
      k: () => move(current - 1),
      enter: () => {
        const row = rows[current];
        if (row && href) router.push(address(href(row)));
      },
      x: () => {
        if (bulk && rows[current]) selectTo(current, false);
      },
      "/": () => document.querySelector<HTMLElement>("main form input")?.focus(),
      "?": () => setShowsKeys(true),
    };
    const onKey = (event: KeyboardEvent) => {
      const name = event.key === "Enter" ? "enter" : event.key;
      const action = Object.hasOwn(keys, name) ? keys[name] : undefined;
      if (!action || isTyping(event) || event.metaKey || event.ctrlKey || event.altKey) return;
      const onControl = event.target instanceof HTMLElement && event.target.closest("a, button, summary");
      if (event.key === "Enter" && onControl) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });

  if (rows.length === 0)
    return <div className="rounded-control border border-hairline bg-raised px-4 py-10">{empty}</div>;
  return (
    <>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-2 pb-2">
        {bulk && selected.length > 0 ? (
          <div role="status" className="flex flex-wrap items-center gap-2">
            <span className="font-medium">{t("selected", { count: selected.length })}</span>
            {bulk(selected.map((row) => row.original.row))}
            <button
              type="button"
              className="text-link min-h-9 cursor-pointer px-1"
              onClick={() => table.resetRowSelection(true)}
            >
              {t("select_none")}
            </button>
          </div>
        ) : (
          <span />
        )}
        <div className="flex items-center gap-2">
          <button
            type="button"
            aria-keyshortcuts="?"
            className="text-link hidden min-h-9 cursor-pointer px-1 text-13 min-[900px]:block"
            onClick={() => setShowsKeys(true)}
          >
            {t("keys")}
          </button>
          <details className="relative">
            <summary className="text-link inline-flex min-h-9 cursor-pointer list-none items-center px-1 text-13">
              {t("columns")}
            </summary>
            <fieldset className="absolute right-0 z-10 flex w-56 flex-col gap-1 rounded-control border border-hairline bg-raised p-3">
              <legend className="sr-only">{t("columns")}</legend>
              {columns
                .filter(({ main }) => !main)
                .map(({ id, header }) => (
                  <label key={id} className="flex min-h-9 cursor-pointer items-center gap-2">
                    <input
                      type="checkbox"
                      className="check"
                      checked={table.getColumn(id)?.getIsVisible() ?? true}
                      onChange={(event) => {
                        table.getColumn(id)?.toggleVisibility(event.target.checked);
                        const hidden = columns.filter((column) =>
                          column.id === id
                            ? !event.target.checked
                            : !(table.getColumn(column.id)?.getIsVisible() ?? true),
                        );
                        storeHidden(
                          name,
                          hidden.map((column) => column.id),
                        );
                      }}
                    />
                    {header}
                  </label>
                ))}
            </fieldset>
          </details>
        </div>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the window is scrolled by the keyboard */}
      <section aria-label={label} tabIndex={0} className="min-[900px]:overflow-x-auto">
        <table className="w-full border-collapse text-left max-[899px]:block">
          <caption className="sr-only">{label}</caption>
          <thead className="max-[899px]:sr-only">
            <tr className="border-b border-hairline text-13 text-quiet">
              {bulk && (
                <th scope="col" className="w-11 py-2 pr-2 pl-2">
                  <input
                    type="checkbox"
                    className="check"
                    aria-label={t("select_all")}
                    checked={allSelected}
                    onChange={() => table.toggleAllRowsSelected(!allSelected)}
                  />
                </th>
              )}
              {table.getVisibleLeafColumns().map(({ id }) => {
                const column = columns.find((one) => one.id === id);
                return (
                  <th
                    key={id}
                    scope="col"
                    className={classNames(
                      "py-2 pr-3 align-bottom font-medium break-keep first:pl-2 min-[1440px]:pr-4",
                      column?.align === "end" && "text-right",
                    )}
                  >
                    {column?.header}
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody ref={body} className="max-[899px]:flex max-[899px]:flex-col max-[899px]:gap-3">
            {tableRows.map((row, index) => (
              <tr
                key={row.id}
                aria-selected={bulk ? row.getIsSelected() : undefined}
                data-current={index === current || undefined}
                onClick={() => setCurrent(index)}
                className="border-b border-hairline align-top hover:bg-tint data-current:bg-tint data-current:outline-2 data-current:-outline-offset-2 data-current:outline-control max-[899px]:flex max-[899px]:flex-col max-[899px]:gap-1.5 max-[899px]:rounded-control max-[899px]:border max-[899px]:bg-raised max-[899px]:p-3"
              >
                {bulk && (
                  <td className="py-2.5 pr-2 min-[900px]:pl-2">
                    <input
                      type="checkbox"
                      className="check"
                      aria-label={t("select_row", { name: rowName(row.original.row) })}
                      checked={row.getIsSelected()}
                      onChange={() => {}}
                      onClick={(event) => selectTo(index, event.shiftKey)}
                    />
                  </td>
                )}
                {row.getVisibleCells().map((cell) => {
                  const column = columns.find((one) => one.id === cell.column.id);
                  return (
                    <td
                      key={cell.id}
                      className={classNames(
                        "py-2.5 pr-3 min-[900px]:first:pl-2 min-[1440px]:pr-4 max-[899px]:flex max-[899px]:gap-3 max-[899px]:py-0 max-[899px]:pr-0",
                        column?.align === "end" && "figures min-[900px]:text-right",
                        (column?.oneLine || column?.align === "end") && "whitespace-nowrap",
                        column?.main && "font-medium",
                      )}
                    >
                      {!column?.main && (
                        <span
                          aria-hidden="true"
                          className="w-28 flex-none text-13 text-quiet min-[900px]:hidden"
                        >
                          {column?.header}
                        </span>
                      )}
                      <span className="min-w-0 wrap-break-word max-[899px]:wrap-anywhere">
                        <table.FlexRender cell={cell} />
                      </span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Dialog open={showsKeys} onClose={() => setShowsKeys(false)} title={t("keys")} closeLabel={t("close")}>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
          {(
            [
              "j",
              "k",
              ...(href ? ["enter" as const] : []),
              ...(bulk ? ["x" as const] : []),
              "slash",
              "help",
            ] as const
          ).map((key) => (
            <div key={key} className="contents">
              <dt>
                <kbd className="rounded-small border border-control px-1.5 font-mono text-13">
                  {KEY_NAMES[key]}
                </kbd>
              </dt>
              <dd>{t(`key.${key}`)}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  );
}

const KEY_NAMES = { j: "j", k: "k", enter: "Enter", x: "x", slash: "/", help: "?" } as const;

/** How many rows there are, how far the list has looked, and the links to its pages. */
export function Pager({
  total,
  exact,
  lookedBackTo,
  first,
  next,
}: {
  total: number;
  exact: boolean;
  /** "3 November 2026", where a filter has looked at a part only. */
  lookedBackTo?: string;
  /** The address of the first page; absent on it. */
  first?: string;
  next?: string;
}) {
  const t = useTranslations("console.table");
  const router = useRouter();
  const address = useConsoleAddress();
  const link = (href: string, text: string, isNext: boolean) => (
    <a
      href={address(href)}
      className="button button-secondary"
      onClick={(event) => {
        event.preventDefault();
        router.push(address(href));
      }}
    >
      {text}
      {isNext && <Icon name="right" size={16} />}
    </a>
  );
  return (
    <nav aria-label={t("pages")} className="flex flex-wrap items-center justify-between gap-3 pt-4">
      <p className="text-quiet">
        {lookedBackTo
          ? t("looked_back", { count: total, date: lookedBackTo })
          : t(exact ? "total" : "total_more", { count: total })}
      </p>
      <div className="flex gap-2">
        {first && link(first, t("first_page"), false)}
        {next && link(next, lookedBackTo ? t("look_on") : t("next_page"), true)}
      </div>
    </nav>
  );
}
