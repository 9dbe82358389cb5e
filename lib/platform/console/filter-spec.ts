import type { z } from "zod";

/** A filter of a list, as its field is drawn. `days`: the fields `days`, `from`, `to` and `time_zone` of `Days` together. */
export type FilterSpec =
  | { name: string; kind: "text" | "number" | "flag" | "days" }
  | { name: string; kind: "choice"; options: readonly string[]; standard?: string };

/** What a list can be filtered and sorted by, for its screen. */
export type ListFields = { filters: readonly FilterSpec[]; sorts: readonly string[] };

type Definition = {
  type: string;
  innerType?: Field;
  in?: Field;
  entries?: Record<string, string | number>;
  defaultValue?: unknown;
};
type Field = { def: Definition };

/** Fields of `Days`; one filter stands for all. */
const DAYS = ["days", "from", "to", "time_zone"];
const NOT_FILTERS = ["cursor", "sort", ...DAYS];
const KINDS: Readonly<Record<string, "text" | "number" | "flag">> = {
  string: "text",
  number: "number",
  union: "flag",
  boolean: "flag",
};

function specOf(name: string, { def }: Field, standard?: unknown): FilterSpec[] {
  const inner = def.innerType ?? def.in;
  if (inner) return specOf(name, inner, def.type === "default" ? def.defaultValue : standard);
  if (def.type === "enum") {
    const options = Object.values(def.entries ?? {}).map(String);
    return [{ name, kind: "choice", options, ...(standard !== undefined && { standard: String(standard) }) }];
  }
  const kind = KINDS[def.type];
  return kind ? [{ name, kind }] : [];
}

/**
 * The filters and orders of a list, from the input of its call: an enum is a choice, a `Flag` yes or no, a number a number, any
 * other text a text, and `Days` a range of days.
 */
export function listFields(input: z.ZodObject): ListFields {
  // zod types the fields of any object as its core schemas; Field is the part of their definition that is read here.
  const fields = Object.entries(input.shape as unknown as Record<string, Field>);
  const filters = fields
    .filter(([name]) => !NOT_FILTERS.includes(name))
    .flatMap(([name, field]) => specOf(name, field));
  const sort = fields.flatMap(([name, field]) => (name === "sort" ? specOf(name, field) : []))[0];
  const hasDays = fields.some(([name]) => name === "days");
  return {
    filters: hasDays ? [...filters, { name: "days", kind: "days" }] : filters,
    sorts: sort?.kind === "choice" ? sort.options : [],
  };
}
