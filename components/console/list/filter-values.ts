/** The parameters of a list's address: filters, `sort` and `cursor`. */
export type FilterValues = Readonly<Record<string, string | undefined>>;

/** What does not filter rows. `view=all`: the whole list, where another view is the reader's first one. */
const NOT_FILTERS = ["cursor", "sort", "view"];

/** The query of a list with these filters; empty ones are left out, and the list starts at its first page. */
export function filterQuery(values: FilterValues): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value && name !== "cursor") query.set(name, value);
  return query.size > 0 ? `?${query}` : "";
}

/** The filters alone, without cursor and order. */
export const filtersOf = (values: FilterValues): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value && !NOT_FILTERS.includes(name) ? [[name, value] as const] : [],
    ),
  );

/** The filters as one text, to compare them: the time zone of days is the reader's, whichever it was. */
const filterKey = (values: FilterValues) =>
  Object.entries(filtersOf(values))
    .filter(([name]) => name !== "time_zone")
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join("&");

export const sameFilters = (a: FilterValues, b: FilterValues): boolean => filterKey(a) === filterKey(b);
