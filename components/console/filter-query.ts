import type { FilterValues } from "@/components/console/filter-bar";

/** The query of a list with these filters; empty ones are left out, and the list starts at its first page. */
export function filterQuery(values: FilterValues): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value && name !== "cursor") query.set(name, value);
  return query.size > 0 ? `?${query}` : "";
}
