import { log } from "@/lib/platform/log";
import { zonedIso } from "@/lib/platform/zoned-day";
import type { ListPage } from "./list";

export type Cell = string | number | boolean | null;

/**
 * A cell of a CSV file (RFC 4180). A text that a spreadsheet would run as a formula starts with an apostrophe, which
 * spreadsheets take as "text".
 */
export function csvCell(value: Cell): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const text = /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(",")}\r\n`;

/** The rows of a list as a file: its columns, and its next rows from a cursor. */
export type CsvSource = {
  columns: readonly string[];
  read: (cursor: string | undefined) => Promise<ListPage<readonly Cell[]>>;
};

/** A page of rows as cells, in the order of the columns. */
export const toCells = <Item>(page: ListPage<Item>, cells: (item: Item) => Cell[]): ListPage<Cell[]> => ({
  ...page,
  items: page.items.map(cells),
});

/** The columns of an item as cells, for `toCells`. */
export const cellsOf = <Item extends Record<string, unknown>>(columns: readonly (keyof Item)[]) => {
  return (item: Item): Cell[] => columns.map((name) => item[name] as Cell);
};

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/**
 * The header, then the rows in parts. Times are in the reader's zone, if given, as on the screen. The byte order mark
 * makes spreadsheets read UTF-8.
 */
export function csvStream({ columns, read }: CsvSource, timeZone?: string): ReadableStream<Uint8Array> {
  const zoned = (cell: Cell): Cell =>
    timeZone && typeof cell === "string" && INSTANT.test(cell) ? zonedIso(new Date(cell), timeZone) : cell;
  const toLine = (cells: readonly Cell[]) => csvLine(cells.map(zoned));
  const encoder = new TextEncoder();
  let cursor: string | null | undefined;
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(`\ufeff${csvLine(columns)}`)),
    async pull(controller) {
      try {
        // A part without a match goes on to the next.
        do {
          const page = await read(cursor ?? undefined);
          cursor = page.next_cursor;
          if (page.items.length > 0) {
            controller.enqueue(encoder.encode(page.items.map(toLine).join("")));
            break;
          }
        } while (cursor !== null);
        if (cursor === null) controller.close();
      } catch (error) {
        log.error({ err: error }, "export failed");
        controller.error(error);
      }
    },
  });
}

/** The answer of a call that sends such a file. */
export const csvFile = (name: string, rows: ReadableStream<Uint8Array>): Response =>
  new Response(rows, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}.csv"`,
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
