import { parseTypedNumber } from "@/lib/platform/typed-number";
import { PlanPassesInput } from "./contract";
import type { PlanForm } from "./rules-path";

type Query = Record<string, string | string[] | undefined>;
type Problem = "days" | "need" | "budget";

/**
 * The query of `/plan`: the fields of the form, their errors, and the input if there are none. `blank`: the
 * form was not submitted yet. Never throws.
 */
export function parsePlanQuery(query: Query) {
  const text = (name: string) =>
    ([query[name]].flat()[0] ?? "")
      .replace(/[\p{Cc}\p{Cf}]/gu, " ")
      .trim()
      .slice(0, 200);
  const form: PlanForm = {
    need: text("need"),
    product: text("product"),
    days: text("days"),
    budget: text("budget"),
  };
  const blank = Object.values(form).every((value) => value === "");
  const { shape } = PlanPassesInput;
  const days = form.days === "" ? undefined : shape.days.safeParse(parseTypedNumber(form.days)).data;
  const budget = form.budget === "" ? undefined : shape.budget.safeParse(parseTypedNumber(form.budget)).data;
  const problems: Problem[] = [];
  if (form.need === "" && form.product === "") problems.push("need");
  if (days === undefined) problems.push("days");
  if (form.budget !== "" && (budget === undefined || !Number.isSafeInteger(Math.round(budget * 100))))
    problems.push("budget");
  const named = form.product ? { product: form.product.slice(0, 120) } : { need: form.need };
  const input =
    days === undefined || problems.length > 0
      ? null
      : { ...named, days, ...(budget !== undefined && { budget: Math.round(budget * 100) / 100 }) };
  return { form, blank, problems: blank ? [] : problems, input: input as PlanPassesInput | null };
}
export type PlanQuery = ReturnType<typeof parsePlanQuery>;
