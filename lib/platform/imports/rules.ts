import { declaredDelimiter, isBlankRow } from "@/lib/platform/content/csv";
import { LINE_END } from "@/lib/platform/content/encoding";

/** Files that are imported after a preview: the browser keeps the file, the server never does. */

export const IMPORT_LIMIT_BYTES = 16 * 1024 * 1024;
/** Refused lines that a report holds. */
export const MAX_REPORT_LINES = 10_000;
/** The reason of a line that is imported once someone confirms that its code is correct. */
const HELD = "code_held";
export const countHeld = (report: readonly { error?: string }[]): number =>
  report.filter(({ error }) => error === HELD).length;

/** A running import without a sign of life for this long is broken. */
export const BROKEN_AFTER_SECONDS = 30;

/**
 * The lines of a file that an import refused, to be corrected and sent again; `hasHeader`: below the first line of the file.
 * The browser has the file, so that no code comes back from the server.
 */
export function refusedLines(
  text: string,
  report: readonly { line: number }[],
  { hasHeader }: { hasHeader: boolean },
): string {
  const lines = text.replace(/^\uFEFF/, "").split(LINE_END);
  const numbers = [...new Set(report.map(({ line }) => line))].sort((a, b) => a - b);
  const first = hasHeader ? headerLines(lines) : [];
  const chosen = [...first, ...numbers.filter((number) => !first.includes(number))];
  return chosen.map((number) => `${lines[number - 1] ?? ""}\n`).join("");
}

/** The numbers of the lines above the rows: the header, and the line before it that names the delimiter. */
function headerLines(lines: readonly string[]): number[] {
  const filled = lines.flatMap((line, at) => (isBlankRow(line) ? [] : [at + 1])).slice(0, 2);
  const [first = 0] = filled;
  return declaredDelimiter(lines[first - 1] ?? "") ? filled : filled.slice(0, 1);
}
