"use client";

import { useTranslations } from "next-intl";
import { Fragment, type MouseEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import type { Column } from "@/components/console/list/columns";
import { allowed, type RowAction, useRowActions } from "@/components/console/list/row-actions";
import { Menu } from "@/components/console/menu";
import { classNames } from "@/components/ui/class-names";

type Props<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  rowName: (row: Row) => string;
  group: RowGroup<Row> | undefined;
  actions: readonly RowAction<Row>[];
  /** Ids of selected rows; undefined: rows cannot be selected. */
  selected: ReadonlySet<string> | undefined;
  current: number;
  onSelect: (index: number, extend: boolean) => void;
  onSelectAll: () => void;
  /** A row is pressed; `menu` chose its details. */
  onPress: (index: number) => void;
  onAct: (action: RowAction<Row>, row: Row) => void;
};

/** Rows with the same id after each other stand together, under a heading. */
export type RowGroup<Row> = (row: Row) => { id: string; head: ReactNode };

/** Where a cell stands on a phone's card. */
const CARD = {
  title: "max-[899px]:col-start-2 max-[899px]:row-start-1",
  time: "max-[899px]:col-start-3 max-[899px]:row-start-1 max-[899px]:text-right max-[899px]:text-quiet",
  end: "max-[899px]:col-start-4 max-[899px]:row-start-1 max-[899px]:text-right",
  sub: "max-[899px]:col-start-2 max-[899px]:col-end-4 max-[899px]:row-start-2",
  mark: "max-[899px]:col-start-4 max-[899px]:row-start-2 max-[899px]:text-right",
} as const;
/** Actions that a row shows under the pointer; the others are in its menu. */
const SHOWN_ACTIONS = 2;
/** Widths of the boxes and of the menus, in pixels. */
const BOX = 38;
const MENU = 40;

/** What a press opens by itself. */
const onControl = (target: EventTarget) =>
  target instanceof HTMLElement && target.closest("a, button, input, label, summary") !== null;

/** A cut text is the title of its cell. */
function titleCut({ target }: PointerEvent<HTMLElement>): void {
  const cell = target instanceof HTMLElement ? target.closest<HTMLElement>("[data-cell]") : null;
  if (!cell) return;
  if (cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent ?? "";
  else cell.removeAttribute("title");
}

/** The rows of a list: 36 px each, one line. Below 900 px each is a card of two lines. */
export function ListTable<Row>(props: Props<Row>) {
  const { label, columns, rows, rowId, rowName, group, actions, selected, current, onSelect, onPress } =
    props;
  const t = useTranslations("console.table");
  const places = cardPlaces(columns);
  const press = (event: MouseEvent, index: number) => {
    if (!onControl(event.target) && !window.getSelection()?.toString()) onPress(index);
  };
  return (
    <table className="w-full table-fixed border-collapse text-left text-13 max-[899px]:block">
      <caption className="sr-only">{label}</caption>
      <colgroup>
        {selected && <col style={{ width: BOX }} />}
        {columns.map(({ id, width, minor }) => (
          <col
            key={id}
            style={width ? { width } : undefined}
            className={minor ? "max-[1179px]:hidden" : undefined}
          />
        ))}
        <col style={{ width: MENU }} />
      </colgroup>
      <thead className="max-[899px]:sr-only">
        <tr className="text-quiet">
          {selected && (
            <th scope="col" className="sticky top-10 z-10 border-b border-hairline bg-paper pl-2">
              <input
                type="checkbox"
                className="check block"
                aria-label={t("select_all")}
                checked={rows.length > 0 && rows.every((row) => selected.has(rowId(row)))}
                onChange={props.onSelectAll}
              />
            </th>
          )}
          {columns.map(({ id, header, end, minor }) => (
            <th
              key={id}
              scope="col"
              title={header}
              className={classNames(
                "sticky top-10 z-10 h-7 truncate border-b border-hairline bg-paper px-2 font-medium",
                end && "text-right",
                minor && "max-[1179px]:hidden",
              )}
            >
              {header}
            </th>
          ))}
          <th scope="col" className="sticky top-10 z-10 border-b border-hairline bg-paper">
            <span className="sr-only">{t("actions")}</span>
          </th>
        </tr>
      </thead>
      <tbody
        onPointerOver={titleCut}
        className="max-[899px]:block max-[899px]:border-t max-[899px]:border-hairline"
      >
        {rows.map((row, index) => {
          const id = rowId(row);
          const before = rows[index - 1];
          const own = group?.(row);
          return (
            <Fragment key={id}>
              {own && (!before || group?.(before).id !== own.id) && (
                <tr className="border-b border-hairline max-[899px]:block">
                  <th
                    scope="rowgroup"
                    colSpan={columns.length + (selected ? 2 : 1)}
                    className="bg-tint px-2 py-1.5 text-left font-normal max-[899px]:block"
                  >
                    {own.head}
                  </th>
                </tr>
              )}
              <tr
                aria-selected={selected?.has(id)}
                data-current={index === current || undefined}
                onClick={(event) => press(event, index)}
                className="group cursor-pointer border-b border-hairline hover:bg-tint aria-selected:bg-tint data-current:bg-tint data-current:outline-2 data-current:-outline-offset-2 data-current:outline-control max-[899px]:grid max-[899px]:h-18 max-[899px]:grid-cols-[auto_minmax(0,1fr)_auto_auto] max-[899px]:grid-rows-2 max-[899px]:items-center max-[899px]:gap-x-2 max-[899px]:py-2"
              >
                {selected && (
                  <td className="h-9 pl-2 max-[899px]:row-span-2 max-[899px]:h-auto max-[899px]:pl-0">
                    <input
                      type="checkbox"
                      className="check block"
                      aria-label={t("select_row", { name: rowName(row) })}
                      checked={selected.has(id)}
                      onChange={() => {}}
                      onClick={(event) => onSelect(index, event.shiftKey)}
                    />
                  </td>
                )}
                {columns.map((column) => (
                  <td
                    key={column.id}
                    className={classNames(
                      "h-9 px-2 py-0 max-[899px]:h-auto max-[899px]:min-w-0 max-[899px]:px-0",
                      column.end && "figures text-right",
                      column.main && "font-medium max-[899px]:text-15",
                      column.minor && "max-[1179px]:hidden",
                      places.has(column.id) ? CARD[places.get(column.id)!] : "max-[899px]:hidden",
                    )}
                  >
                    <div data-cell className="truncate">
                      {column.cell(row)}
                    </div>
                  </td>
                ))}
                <td className="relative max-[899px]:hidden">
                  <RowTools
                    {...{ row, rowName, actions }}
                    onAct={props.onAct}
                    onOpen={() => onPress(index)}
                  />
                </td>
              </tr>
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

/** The cell of each place of a card: the first column that asks for it; the row's name is the title. */
function cardPlaces<Row>(columns: readonly Column<Row>[]): ReadonlyMap<string, keyof typeof CARD> {
  const taken = new Map<string, string>();
  for (const { id, main, card } of columns) {
    const place = main ? "title" : card;
    if (place && !taken.has(place)) taken.set(place, id);
  }
  if (!taken.has("sub")) {
    const placed = new Set(taken.values());
    const next = columns.find(({ id, end, card }) => !placed.has(id) && !end && !card);
    if (next) taken.set("sub", next.id);
  }
  return new Map([...taken].map(([place, id]) => [id, place as keyof typeof CARD]));
}

type ToolsProps<Row> = Pick<Props<Row>, "rowName" | "actions" | "onAct"> & { row: Row; onOpen: () => void };

/** What can be done with a row: the first actions under the pointer, all in its menu. */
function RowTools<Row>({ row, rowName, actions, onAct, onOpen }: ToolsProps<Row>) {
  const t = useTranslations("console.table");
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { run, nameOf } = useRowActions<Row>(rowName, onAct);
  const possible = allowed(actions, row);
  return (
    <div className="absolute inset-y-0 right-0 flex items-center gap-1 pr-1">
      <div className="flex gap-1 bg-tint pl-2 not-group-hover:not-group-focus-within:not-group-data-current:opacity-0">
        {possible.slice(0, SHOWN_ACTIONS).map((action) => (
          <button
            key={action.id}
            type="button"
            aria-label={nameOf(action, row)}
            onClick={() => run(action, row)}
            className={classNames(
              "h-7 cursor-pointer rounded-small border bg-raised px-2 font-medium whitespace-nowrap hover:border-ink",
              action.danger ? "border-bad text-bad" : "border-control",
            )}
          >
            {action.label}
          </button>
        ))}
      </div>
      <button
        ref={button}
        type="button"
        aria-label={t("menu_of", { name: rowName(row) })}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="h-7 w-7 flex-none cursor-pointer rounded-small text-quiet hover:bg-raised hover:text-ink"
      >
        <span aria-hidden="true">⋯</span>
      </button>
      {isOpen && (
        <Menu
          label={t("menu_of", { name: rowName(row) })}
          anchor={button}
          onClose={() => setOpen(false)}
          items={[
            { id: "details", label: t("details"), onSelect: onOpen },
            ...possible.map((action) => ({
              id: action.id,
              label: action.label,
              danger: action.danger ?? false,
              onSelect: () => run(action, row),
            })),
          ]}
        />
      )}
    </div>
  );
}
