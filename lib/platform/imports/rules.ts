/** Files that are imported after a preview: the browser keeps the file, the server never does. */

export const IMPORT_LIMIT_BYTES = 16 * 1024 * 1024;
/** Refused lines that a report holds. */
export const MAX_REPORT_LINES = 10_000;
/** The reason of a line that is imported once somebody confirms that its code is right as it stands. */
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
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const numbers = [...new Set(report.map(({ line }) => line))].sort((a, b) => a - b);
  const header = lines.findIndex((line) => line.trim() !== "") + 1;
  const chosen = hasHeader ? [header, ...numbers.filter((number) => number !== header)] : numbers;
  return chosen.map((number) => `${lines[number - 1] ?? ""}\n`).join("");
}
