import { parse } from "csv-parse/sync";
import type { Delimiter } from "./csv";

/** A text that a spreadsheet leaves unchanged: `="000123"`. */
const TEXT_FORMULA = /(^|[,;|\t])="([^"]*)"(?=[,;|\t]|$)/g;

/**
 * The fields of a CSV line without the white space around them, or null when it is invalid. A line without quotation marks
 * is split at its delimiters, which takes a tenth of the parser's time. The parser's message may quote the line, so it is
 * dropped.
 */
export function parseFields(text: string, delimiter: Delimiter = ","): string[] | null {
  if (!/["\r\n]/.test(text)) return text.split(delimiter).map((field) => field.trim());
  const plain = text.includes('="') ? text.replace(TEXT_FORMULA, '$1"$2"') : text;
  // A tab is white space too, which the parser would treat as part of the neighbouring fields.
  const trim = delimiter !== "\t";
  try {
    const [fields, ...rest] = parse(plain, { relax_column_count: true, trim, delimiter }) as string[][];
    if (!fields || rest.length > 0) return null;
    return trim ? fields : fields.map((field) => field.trim());
  } catch {
    return null;
  }
}

/** Fields without the blank ones at the end that are more than `length`, which spreadsheets write for cleared columns. */
export function withoutBlankEnd(fields: readonly string[], length = 0): string[] {
  let end = fields.length;
  while (end > length && fields[end - 1] === "") end -= 1;
  return fields.slice(0, end);
}
