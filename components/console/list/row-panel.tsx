"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { ConsoleLink } from "@/components/console/link";
import type { Column } from "@/components/console/list/columns";
import { allowed, type RowAction, useRowActions } from "@/components/console/list/row-actions";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";

type Props<Row> = {
  row: Row;
  columns: readonly Column<Row>[];
  rowName: (row: Row) => string;
  href: ((row: Row) => string) | undefined;
  actions: readonly RowAction<Row>[];
  onAct: (action: RowAction<Row>, row: Row) => void;
  onClose: () => void;
};

/** A row with all its fields uncut, its actions and the link to its page: beside the list, on phones above it. */
export function RowPanel<Row>({ row, columns, rowName, href, actions, onAct, onClose }: Props<Row>) {
  const t = useTranslations("console.table");
  const panel = useRef<HTMLElement>(null);
  const { run, nameOf } = useRowActions<Row>(rowName, onAct);
  useEffect(() => {
    const before = document.activeElement;
    panel.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      aria-label={t("panel", { name: rowName(row) })}
      className="fixed right-0 bottom-0 z-30 flex max-h-[85dvh] w-full flex-col border-t border-hairline bg-raised outline-none min-[900px]:top-0 min-[900px]:max-h-none min-[900px]:w-104 min-[900px]:border-t-0 min-[900px]:border-l"
    >
      <header className="flex items-center gap-2 border-b border-hairline py-2 pr-2 pl-4">
        <h2 className="min-w-0 flex-1 text-17 font-semibold wrap-anywhere">{rowName(row)}</h2>
        {href && (
          <ConsoleLink href={href(row)} className="button button-secondary">
            {t("open")}
          </ConsoleLink>
        )}
        <button
          type="button"
          aria-label={t("close")}
          onClick={onClose}
          className="hit grid flex-none cursor-pointer place-items-center rounded-control text-quiet hover:text-ink"
        >
          <Icon name="close" />
        </button>
      </header>
      <dl className="grid flex-1 auto-rows-min grid-cols-[7.5rem_1fr] gap-x-3 gap-y-2 overflow-y-auto p-4">
        {columns.map(({ id, header, cell }) => (
          <div key={id} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-13 text-quiet">{header}</dt>
            <dd className="wrap-anywhere">{cell(row)}</dd>
          </div>
        ))}
      </dl>
      {allowed(actions, row).length > 0 && (
        <footer className="flex flex-wrap gap-2 border-t border-hairline p-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
          {allowed(actions, row).map((action) => (
            <Button
              key={action.id}
              look={action.danger ? "danger" : "secondary"}
              aria-label={nameOf(action, row)}
              onClick={() => run(action, row)}
            >
              {action.label}
            </Button>
          ))}
        </footer>
      )}
    </aside>
  );
}
