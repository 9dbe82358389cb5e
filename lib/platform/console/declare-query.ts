import { type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { Instant } from "@/lib/platform/api/fields";
import { ID_PATTERN, NUMBER_PATTERN, TEXT_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import { type DayRange, WALKED_ROWS } from "@/lib/platform/console/list";
import {
  type ConsoleListQuery,
  daysSql,
  isValue,
  prefixSql,
  type SortKey,
} from "@/lib/platform/console/query";
import { instant } from "@/lib/platform/instant";

const key =
  (type: SortKey["type"], pattern: RegExp) =>
  (column: string): SortKey => ({ value: sql.raw(column), type, pattern });
/** Keys of an order, by the kind of their column. */
export const timeKey = key("timestamptz", TIME_PATTERN);
export const idKey = key("text", ID_PATTERN);
export const numberKey = key("int", NUMBER_PATTERN);
export const bigKey = key("bigint", /^\d{1,15}$/);
export const textKey = key("text", TEXT_PATTERN);

/** How an index finds the rows of a filter's value, and the keys that it puts before the list's order. */
type Index<Value> = {
  where: (value: Value) => SQL[];
  lead: readonly SortKey[];
  /** The index continues with the list's time, so that it also finds days. */
  hasTime: boolean;
  /** Whether the index contains rows with this value; by default all values. */
  has?: (value: Value) => boolean;
};

/** An index that begins with this key and continues in the list's order. */
export const equals = <Value extends string | number>(column: SortKey): Index<Value> => ({
  where: (value) => [isValue(column, String(value))],
  lead: [column],
  hasTime: true,
});
/** An index by the beginning of a text, in the order of bytes; `and`: what else it requires. */
export const beginsWith = (column: string, ...and: SQL[]): Index<string> => ({
  where: (value) => [prefixSql(sql.raw(`${column} collate "C"`), value), ...and],
  lead: [textKey(`${column} collate "C"`)],
  hasTime: false,
});
/** An index that finds these rows in the list's order; `has`: the values that it has, where it is a partial one. */
export const finds = <Value>(
  where: (value: Value) => SQL,
  has: (value: Value) => boolean = () => true,
): Index<Value> => ({
  where: (value) => [where(value)],
  lead: [],
  hasTime: true,
  has,
});

type Given<Input, Name extends keyof Input> = Exclude<Input[Name], undefined>;

/** A list over one table. A filter has an index, a check of each row, or both: the check where another index finds the rows. */
type Declaration<Input extends object> = {
  /** The table with its alias: `users u`. */
  table: string;
  /** What filters and the page read, without the alias. */
  columns: string;
  /** The order of the rows by their newest, the id last. */
  order: readonly SortKey[];
  ascending?: (input: Input) => boolean;
  /** The time of a row; by default the first key of the order. */
  at?: SQL;
  /** A condition that every row meets, and that the partial indexes require. */
  always?: SQL;
  /** Whether `Days` are filters, by that time. */
  days?: boolean;
  /** The first of these whose filter is given finds the rows. */
  indexes?: { [Name in keyof Input]?: Index<Given<Input, Name>> };
  checks?: { [Name in keyof Input]?: (value: Given<Input, Name>) => SQL };
  walked?: number | ((input: Input) => number);
};

/** Rows that belong to someone, such as a merchant: their key comes first in every index. */
type Scope = { key: SortKey; value: string };

/** The statements' query of a declared list with the filters of an input. */
export function declareQuery<Input extends object>(declared: Declaration<Input>) {
  const { table, columns, order, at = order[0]!.value, walked = WALKED_ROWS } = declared;
  const alias = table.split(" ").at(-1)!;
  const named = sql.raw(
    columns
      .split(",")
      .map((column) => `${alias}.${column.trim()}`)
      .join(", "),
  );
  return (input: Input, scope?: Scope): ConsoleListQuery => {
    const given = <Entry>(entries: { [Name in keyof Input]?: Entry } | undefined) =>
      Object.entries<Entry | undefined>((entries ?? {}) as Record<string, Entry | undefined>).flatMap(
        ([name, entry]) => {
          const value = input[name as keyof Input];
          return entry !== undefined && value !== undefined ? [{ name, entry, value }] : [];
        },
      );
    const indexes = given(declared.indexes as { [Name in keyof Input]?: Index<unknown> }).filter(
      ({ entry, value }) => entry.has?.(value) ?? true,
    );
    const [leading, ...others] = scope ? [undefined, ...indexes] : indexes;
    const checks = given(declared.checks as { [Name in keyof Input]?: (value: unknown) => SQL });
    const days = declared.days ? daysSql(at, input as DayRange) : [];
    const byTime = leading?.entry.hasTime ?? true;
    const filters = [
      ...others.flatMap((other) => other?.entry.where(other.value) ?? []),
      ...checks
        .filter(({ name }) => name !== leading?.name && !others.some((other) => other?.name === name))
        .map(({ entry, value }) => entry(value)),
      ...(byTime ? [] : days),
    ];
    return {
      from: sql.raw(table),
      alias: sql.raw(alias),
      columns: named,
      indexed: [
        ...(declared.always ? [declared.always] : []),
        ...(scope ? [isValue(scope.key, scope.value)] : []),
        ...(leading?.entry.where(leading.value) ?? []),
        ...(byTime ? days : []),
      ],
      filters,
      walked: typeof walked === "number" ? walked : walked(input),
      sort: [...(scope ? [scope.key] : []), ...(leading?.entry.lead ?? []), ...order],
      at,
      ...(declared.ascending && { ascending: declared.ascending(input) }),
    };
  };
}

type Field = { def: { innerType?: Field } };
const isInstant = (field: Field): boolean =>
  field === (Instant as unknown) || (field.def.innerType !== undefined && isInstant(field.def.innerType));

/** Converts the times of a row to the form of the list's contract. */
export function withTimes(item: z.ZodObject) {
  // zod types the fields of any object as its core schemas; Field is the part of their definition that is read here.
  const names = Object.entries(item.shape as unknown as Record<string, Field>)
    .filter(([, field]) => isInstant(field))
    .map(([name]) => name);
  return <Row extends object>(row: Row): Row => {
    const times = names.flatMap((name) => {
      const at = (row as Record<string, unknown>)[name];
      return typeof at === "string" ? [[name, instant(at)] as const] : [];
    });
    return { ...row, ...Object.fromEntries(times) };
  };
}
