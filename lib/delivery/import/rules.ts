import { parse } from "csv-parse/sync";
import { PASS_DAYS, PASS_TYPES, type PassType } from "@/lib/catalog/rules";

/** The columns of a file of codes. A plan is named by its product and kind, or by its id. */
const COLUMNS = ["product", "plan", "plan_id", "key", "redeem_by"] as const;
type Column = (typeof COLUMNS)[number];
export type CsvRow = Partial<Record<Column, string>>;

export const KEY_MIN = 4;
export const KEY_MAX = 500;

/**
 * The fields of a CSV line without the white space around them, or null when it is invalid. A line without quotation marks
 * is split at its commas, which takes a tenth of the parser's time. The parser's message may quote the line, so it is
 * dropped.
 */
export function parseFields(text: string): string[] | null {
  if (!/["\r\n]/.test(text)) return text.split(",").map((field) => field.trim());
  try {
    const [fields, ...rest] = parse(text, { relax_column_count: true, trim: true }) as string[][];
    return fields && rest.length === 0 ? fields : null;
  } catch {
    return null;
  }
}

/** The columns that a header names; undefined when it is none. */
export function parseHeader(fields: string[] | null): Column[] | undefined {
  const names = fields?.map((name) => name.toLowerCase()) ?? [];
  const isColumn = (name: string): name is Column => (COLUMNS as readonly string[]).includes(name);
  const columns = names.filter(isColumn);
  const has = (...some: Column[]) => some.every((name) => columns.includes(name));
  const isHeader =
    columns.length === names.length &&
    new Set(names).size === names.length &&
    has("key") &&
    (has("plan_id") ? !columns.includes("product") && !columns.includes("plan") : has("product", "plan"));
  return isHeader ? columns : undefined;
}

/** `day` → `day:1`, `day:3`, `lifetime`; null when it is no plan. */
export function parsePlanKind(plan: string): string | null {
  const [, type, days] = /^([a-z]+)(?::([1-9]\d{0,4}))?$/.exec(plan.toLowerCase()) ?? [];
  if (!(PASS_TYPES as readonly (string | undefined)[]).includes(type)) return null;
  const defaultDays = PASS_DAYS[type as PassType];
  if (defaultDays === null) return days ? null : (type ?? null);
  return `${type}:${days ?? defaultDays}`;
}

/** A plan's id; null when it is none. */
export const parsePlanId = (text: string): number | null =>
  /^[1-9]\d{0,9}$/.test(text) && Number(text) <= 2_147_483_647 ? Number(text) : null;

/** The last second of a day in UTC; undefined for an invalid date. */
export function endOfDay(day: string): Date | undefined {
  const moment = new Date(`${day}T23:59:59Z`);
  const valid = /^\d{4}-\d{2}-\d{2}$/.test(day) && moment.toISOString?.().startsWith(day);
  return valid ? moment : undefined;
}
