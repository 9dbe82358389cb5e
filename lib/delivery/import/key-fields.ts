import { PASS_DAYS, PASS_TYPES, type PassType } from "@/lib/catalog/rules";
import { DELIMITERS, type Delimiter } from "@/lib/platform/content/csv";
import { parseFields, withoutBlankEnd } from "@/lib/platform/content/csv-fields";
import type { ErrorName, ErrorParams } from "@/lib/platform/errors";
import { foldText } from "@/lib/platform/fold-text";

/** The columns of a file of codes. A plan is named by its product and kind, or by its id. */
const COLUMNS = ["product", "plan", "plan_id", "key", "redeem_by"] as const;
type Column = (typeof COLUMNS)[number];
export type CsvRow = Partial<Record<Column, string>>;

export const KEY_MIN = 4;
export const KEY_MAX = 500;

export type KeyHeader = { columns: Column[]; delimiter: Delimiter };
type HeaderProblem = { error: ErrorName; values?: ErrorParams };

const isColumn = (name: string): name is Column => (COLUMNS as readonly string[]).includes(name);
const NAMED_BY_PRODUCT = ["product", "plan"] as const;

/** The columns that a header names, or why it is not a header. `declared`: the delimiter that the file names itself. */
export function parseHeader(text: string, declared?: Delimiter): KeyHeader | HeaderProblem {
  const tried = (declared ? [declared] : DELIMITERS).map((delimiter) => {
    const fields = withoutBlankEnd(parseFields(text, delimiter) ?? []);
    return { names: fields.map((name) => foldText(name).trim().toLowerCase()), delimiter };
  });
  const countColumns = ({ names }: { names: string[] }) => names.filter(isColumn).length;
  const best = tried.reduce((one, other) => (countColumns(other) > countColumns(one) ? other : one));
  const problem = headerProblem(best.names);
  return problem ?? { columns: best.names.filter(isColumn), delimiter: best.delimiter };
}

/** Does not quote an unknown name, because a file without a header begins with a code. */
function headerProblem(names: readonly string[]): HeaderProblem | undefined {
  const columns = names.filter(isColumn);
  if (columns.length === 0) return { error: "key_header" };
  const repeated = columns.find((name, at) => columns.indexOf(name) !== at);
  if (repeated) return { error: "key_header_repeated", values: { column: repeated } };
  const unknown = names.findIndex((name) => !isColumn(name));
  if (unknown >= 0) return { error: "key_header_unknown", values: { number: unknown + 1 } };
  const byId = columns.includes("plan_id");
  if (byId && NAMED_BY_PRODUCT.some((name) => columns.includes(name))) return { error: "key_header_plan" };
  const needed: Column[] = byId ? ["key"] : [...NAMED_BY_PRODUCT, "key"];
  const missing = needed.filter((name) => !columns.includes(name));
  return missing.length > 0
    ? { error: "key_header_missing", values: { columns: missing.join(", ") } }
    : undefined;
}

/** `day` → `day:1`, `day:3`, `lifetime`; null when it is not a plan. */
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
