import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { useConsoleAddress } from "@/components/console/link";

/** What can be done with a row: a page, a dialog with its effects, or something that needs neither. */
export type RowAction<Row> = {
  id: string;
  label: string;
  /** Its name for screen readers; by default the label with the row's name. */
  name?: (row: Row) => string;
  /** `a` agrees, `r` refuses. */
  key?: "a" | "r";
  danger?: boolean;
  when?: (row: Row) => boolean;
} & (
  | { href: (row: Row) => string; dialog?: undefined; run?: undefined }
  | { dialog: (row: Row, onClose: () => void) => ReactNode; href?: undefined; run?: undefined }
  | { run: (row: Row) => Promise<void>; href?: undefined; dialog?: undefined }
);

/** What can be done with the selected rows: a button that opens a dialog, or its own controls. */
export type BulkAction<Row> = { id: string } & (
  | { label: string; dialog: (rows: Row[], onClose: () => void) => ReactNode; controls?: undefined }
  | { controls: (rows: Row[]) => ReactNode }
);

/** The actions that a row has. */
export const allowed = <Row>(actions: readonly RowAction<Row>[], row: Row): RowAction<Row>[] =>
  actions.filter(({ when }) => when?.(row) ?? true);

/** Runs an action: goes to its page, does it, or leaves its dialog to `onAct`. */
export function useRowActions<Row>(
  rowName: (row: Row) => string,
  onAct: (action: RowAction<Row>, row: Row) => void,
) {
  const router = useRouter();
  const address = useConsoleAddress();
  return {
    run: (action: RowAction<Row>, row: Row) => {
      if (action.href) router.push(address(action.href(row)));
      else if (action.run) void action.run(row);
      else onAct(action, row);
    },
    nameOf: (action: RowAction<Row>, row: Row) => action.name?.(row) ?? `${action.label}: ${rowName(row)}`,
  };
}
