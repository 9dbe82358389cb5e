/** The fields of the form on `/plan`, as typed. */
export type PlanForm = { need: string; product: string; days: string; budget: string };

/** The address of a plan. */
export function planPath(asked: Partial<Record<keyof PlanForm, string | number>>): string {
  const query = new URLSearchParams(
    Object.entries(asked).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return query.size > 0 ? `/plan?${query}` : "/plan";
}
