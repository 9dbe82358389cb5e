import { isWholeCents, toCents } from "@/lib/platform/money";

/** A value of an entry's detail, as a reader sees it. */
export type DetailValue =
  | { kind: "none" }
  | { kind: "text"; text: string }
  /** one of a fixed set, such as a state, which has its own text */
  | { kind: "word"; word: string }
  | { kind: "number"; value: number }
  | { kind: "percent"; value: number }
  | { kind: "money"; cents: number }
  | { kind: "moment"; at: string }
  | { kind: "day"; at: string }
  | { kind: "flag"; yes: boolean }
  | { kind: "list"; items: DetailValue[] };

/** A line of an entry's detail: a value by its name, or what a change made of it. */
type DetailRow = { name: string } & ({ value: DetailValue } | { before: DetailValue; after: DetailValue });

/** `rest`: fields that are too long for a line and stand in the raw entry only. */
type DetailView = { rows: DetailRow[]; rest: string[] };

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
/** Amounts in cents whose names do not say so, and amounts in dollars. */
const CENTS = ["received", "asked"];
const DOLLARS = ["amount"];
/** Fields with a value of a fixed set. */
const WORDS = [
  "state",
  "status",
  "outcome",
  "kind",
  "role",
  "roles",
  "trust",
  "event",
  "risk",
  "pass_type",
  "action",
  "with",
];
/** Days of a filter, whose names mean something else in other details. */
const FILTER_DAYS: Record<string, string> = { from: "from_day", to: "to_day" };
/** The whole of a record before and after, where it is not an object: a state, or roles. */
const WHOLE = "state";
const MAX_TEXT = 300;

/** The name of a field as its text is found: `amountCents` and `amount_cents` are both `amount`. */
export const detailName = (key: string): string =>
  key
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .replace(/_cents$/, "")
    .replace(/^_/, "");

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value for one line; undefined where it needs more. */
function toValue(key: string, value: unknown): DetailValue | undefined {
  const name = detailName(key);
  const isCents = /(?:_cents|Cents)$/.test(key) || CENTS.includes(name);
  if (value === null || value === undefined || value === "") return { kind: "none" };
  if (typeof value === "boolean") return { kind: "flag", yes: value };
  if (typeof value === "number") {
    if (isCents)
      return Number.isSafeInteger(value) ? { kind: "money", cents: value } : { kind: "number", value };
    if (DOLLARS.includes(name) && isWholeCents(value)) return { kind: "money", cents: toCents(value) };
    if (name === "bps") return { kind: "percent", value: value / 100 };
    return name === "percent" ? { kind: "percent", value } : { kind: "number", value };
  }
  if (typeof value === "string") {
    const isTime = !Number.isNaN(Date.parse(value));
    if (isTime && MOMENT.test(value)) return { kind: "moment", at: value };
    if (isTime && DAY.test(value)) return { kind: "day", at: value };
    if (WORDS.includes(name)) return { kind: "word", word: value };
    return value.length > MAX_TEXT ? undefined : { kind: "text", text: value };
  }
  if (!Array.isArray(value)) return undefined;
  const items = value.map((item) => toValue(key, item));
  return items.every((item) => item !== undefined) ? { kind: "list", items } : undefined;
}

/** The fields that a change names on either side; a new or deleted record has one side only. */
function changedRows(before: unknown, after: unknown): DetailView {
  const sides = [before, after].map((side) => (isRecord(side) ? side : null));
  if (sides.every((side) => side === null)) {
    const [was, is] = [before, after].map((side) => toValue(WHOLE, side));
    return was && is
      ? { rows: [{ name: WHOLE, before: was, after: is }], rest: [] }
      : { rows: [], rest: [WHOLE] };
  }
  const [was, is] = sides;
  const keys = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])];
  const differing = keys.filter((key) => JSON.stringify(was?.[key]) !== JSON.stringify(is?.[key]));
  return merge(
    differing.map((key): DetailView => {
      const [from, to] = [toValue(key, was?.[key]), toValue(key, is?.[key])];
      const name = detailName(key);
      if (!from || !to) return { rows: [], rest: [name] };
      return { rows: [was ? { name, before: from, after: to } : { name, value: to }], rest: [] };
    }),
  );
}

const merge = (views: readonly DetailView[]): DetailView => ({
  rows: views.flatMap(({ rows }) => rows),
  rest: views.flatMap(({ rest }) => rest),
});

/** The fields of a product that an edit changed: each has its path, and its values as texts. */
const isFieldChange = (value: unknown): value is { path: string; before: unknown; after: unknown } =>
  isRecord(value) && typeof value.path === "string" && "before" in value && "after" in value;

/**
 * The detail of an entry of the audit log as lines: names in one spelling, money, times and states recognised, and a change as
 * before and after of each field. What is too long for a line is named in `rest`.
 */
export function describeDetail(detail: Record<string, unknown> | null): DetailView {
  if (!detail) return { rows: [], rest: [] };
  const { before, after, ...others } = detail;
  const hasChange = "before" in detail || "after" in detail;
  const views = Object.entries(others).map(([key, value]): DetailView => {
    if (Array.isArray(value) && value.length > 0 && value.every(isFieldChange))
      return merge(value.map((change) => pathRow(change)));
    if (isRecord(value) && key === "filters")
      return merge(Object.entries(value).map(([name, filter]) => row(FILTER_DAYS[name] ?? name, filter)));
    return row(key, value);
  });
  return merge([...(hasChange ? [changedRows(before, after)] : []), ...views]);
}

function row(key: string, value: unknown): DetailView {
  const shown = toValue(key, value);
  const name = detailName(key);
  return shown ? { rows: [{ name, value: shown }], rest: [] } : { rows: [], rest: [name] };
}

function pathRow({ path, before, after }: { path: string; before: unknown; after: unknown }): DetailView {
  const [from, to] = [toValue("", before), toValue("", after)];
  return from && to
    ? { rows: [{ name: path, before: from, after: to }], rest: [] }
    : { rows: [], rest: [path] };
}

/** The page of what an entry is about, where every reader of the log has one. `name`: an order's number. */
export function subjectPath(subject: string, name: string | null): string | null {
  if (/^usr_\w+$/.test(subject)) return `/console/customers/${subject}`;
  if (/^ord_\w+$/.test(subject)) return `/console/orders/${name ?? subject}`;
  const [, product] = /^product:(\d+)$/.exec(subject) ?? [];
  return product ? `/console/products/${product}` : null;
}
