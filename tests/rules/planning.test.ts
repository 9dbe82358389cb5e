import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  latestStart,
  type PlannablePass,
  passDays,
  plannableUnits,
  planPasses,
  refundByDay,
  refundOnDay,
} from "@/lib/agents/planning/rules";
import { PASS_DAYS, type PassType } from "@/lib/catalog/rules";
import { toCents } from "@/lib/platform/money";
import { rounds } from "../setup/rounds";

const NOW = new Date("2026-11-30T09:00:00Z");
const pass = (
  vip_id: number,
  duration_days: number | null,
  price: number,
  more: Partial<PlannablePass> = {},
) => ({
  vip_id,
  duration_days,
  price,
  stock: 100,
  stock_state: "in_stock" as const,
  purchase_limit: null,
  deal: null,
  redeem_by: null,
  region: ["worldwide"],
  ...more,
});
const day = pass(1, 1, 2.5);
const week = pass(2, 7, 11.9);
const month = pass(3, 30, 29);
const deal = (items_left: number) => ({ ends_at: "2026-12-02T00:00:00Z", quantity: 20, items_left });

const plan = (passes: PlannablePass[], days: number, budgetCents?: number) =>
  planPasses(passes, { days, budgetCents }, NOW);
const names = (passes: PlannablePass[], days: number, budgetCents?: number) =>
  plan(passes, days, budgetCents)?.passes.map(({ pass: { duration_days }, from, to }) => [
    duration_days,
    from,
    to,
  ]);

/** Tries every number of units of every pass by increasing length, independently of the planner's tables. */
function bruteForce(passes: readonly PlannablePass[], furthest: number) {
  const sorted = passes
    .filter((one) => plannableUnits(one) > 0)
    .sort((a, b) => passDays(a) - passDays(b) || a.price - b.price || a.vip_id - b.vip_id);
  /** by covered days, up to `furthest`: the lowest price, and the fewest passes at that price */
  const least: ([number, number] | undefined)[] = [];
  const visit = (index: number, covered: number, cents: number, count: number) => {
    const reach = Math.min(covered, furthest);
    const known = least[reach];
    if (!known || cents < known[0] || (cents === known[0] && count < known[1])) least[reach] = [cents, count];
    const one = sorted[index];
    if (!one || covered >= furthest) return;
    visit(index + 1, covered, cents, count);
    const length = passDays(one);
    for (let units = 1; units <= plannableUnits(one); units++) {
      if (covered + (units - 1) * length > latestStart(one, NOW)) break;
      if (covered + (units - 1) * length >= furthest) break;
      visit(index + 1, covered + units * length, cents + units * toCents(one.price), count + units);
    }
  };
  visit(0, 0, 0, 0);
  return (days: number, budget: number) => {
    const entries = least.flatMap((value, covered) => (value ? [{ covered, value }] : []));
    const all = entries.filter(({ covered }) => covered >= days).map(({ value }) => value);
    const full = all.sort((a, b) => a[0] - b[0] || a[1] - b[1])[0];
    if (full && full[0] <= budget) return { covered: days, cents: full[0], count: full[1] };
    const affordable = entries.filter(
      ({ covered, value }) => covered > 0 && covered < days && value[0] <= budget,
    );
    const last = affordable.at(-1);
    return last ? { covered: last.covered, cents: last.value[0], count: last.value[1] } : null;
  };
}

function expectAsBruteForce(
  passes: readonly PlannablePass[],
  days: readonly number[],
  budgets: readonly number[],
) {
  const best = bruteForce(passes, Math.max(...days));
  for (const wanted of days)
    for (const budgetCents of budgets) {
      const found = planPasses(passes, { days: wanted, budgetCents }, NOW);
      const short = found && { covered: found.covered, cents: found.cents, count: found.passes.length };
      expect(short, `${wanted} days for ${budgetCents}`).toEqual(best(wanted, budgetCents));
      const sum = found?.passes.reduce((total, { pass: { price } }) => total + toCents(price), 0) ?? 0;
      expect(sum).toBe(found?.cents ?? 0);
    }
}

describe("planPasses", () => {
  it("finds the cheapest sequence, the shorter passes first", () => {
    expect(names([day, week, month], 3)).toEqual([
      [1, 1, 1],
      [1, 2, 2],
      [1, 3, 3],
    ]);
    expect(names([day, week, month], 9)).toEqual([
      [1, 1, 1],
      [1, 2, 2],
      [7, 3, 9],
    ]);
    expect(names([day, week, month], 25)).toEqual([[30, 1, 30]]);
    expect(plan([day, week, month], 9)).toMatchObject({ cents: 1690, covered: 9, fullCents: 1690 });
    expect(names([pass(4, null, 50), month], 90)).toEqual([[null, 1, null]]);
  });

  it("respects stock, limits, units left of a deal and redemption deadlines", () => {
    expect(names([{ ...day, stock: 1 }, week], 9)).toEqual([
      [7, 1, 7],
      [7, 8, 14],
    ]);
    expect(names([{ ...day, purchase_limit: 1 }, week], 8)).toEqual([
      [1, 1, 1],
      [7, 2, 8],
    ]);
    expect(names([{ ...week, price: 1, deal: deal(1) }, month], 14)).toEqual([[30, 1, 30]]);
    expect(names([{ ...week, price: 1, deal: deal(2) }, month], 14)).toHaveLength(2);
    const soon = { redeem_by: "2026-12-04T09:00:00Z" };
    expect(names([{ ...day, ...soon }], 9)).toHaveLength(5);
    expect(plan([{ ...day, ...soon }], 9)).toMatchObject({ covered: 5, fullCents: null });
  });

  it("leaves out passes that cannot be bought, are free, or are not valid in the country", () => {
    for (const stock_state of ["sold_out", "pre_order"] as const)
      expect(plan([{ ...day, stock_state }], 1)).toBeNull();
    expect(plan([{ ...day, price: 0 }], 1)).toBeNull();
    const japan = { ...day, region: ["JP"] };
    expect(planPasses([japan], { days: 1, country: "DE" }, NOW)).toBeNull();
    expect(planPasses([japan], { days: 1, country: "JP" }, NOW)?.cents).toBe(250);
  });

  it("covers as many days as the budget buys, and returns the price of covering all days", () => {
    expect(plan([day, week], 9, 1400)).toMatchObject({ covered: 7, cents: 1190, fullCents: 1690 });
    expect(plan([day, week], 9, 100)).toBeNull();
  });

  it("equals a brute-force search over random passes", () => {
    const one = fc.record({
      vip_id: fc.integer({ min: 1, max: 99 }),
      duration_days: fc.constantFrom(1, 2, 3, 5, 7, 14, 30, null),
      price: fc.integer({ min: 1, max: 60 }).map((units) => units / 2),
      stock: fc.integer({ min: 0, max: 12 }),
      purchase_limit: fc.constantFrom(null, 1, 2),
      redeem_by: fc.constantFrom(null, "2026-12-03T09:00:00Z", "2026-12-20T09:00:00Z"),
      deal: fc.constantFrom(null, deal(1), deal(3)),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(one, { minLength: 1, maxLength: 4, selector: ({ vip_id }) => vip_id }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 8000 }),
        (passes, days, budget) =>
          expectAsBruteForce(
            passes.map((fields) => ({ ...day, ...fields })),
            [days],
            [budget, 1e9],
          ),
      ),
      { numRuns: rounds(2000, 150) },
    );
  });

  it("equals a brute-force search for the products of the demo, and takes at most 50 ms at the 95th of 100", () => {
    const times: number[] = [];
    const products = demoProducts();
    expect(products.length).toBeGreaterThan(75);
    const shown = products.filter((_, index) => index % rounds(1, 8) === 0);
    const days = Array.from({ length: rounds(60, 12) }, (_, index) => (index + 1) * rounds(1, 5));
    const budgets = Array.from({ length: rounds(20, 4) }, (_, index) => (index + 1) * rounds(500, 2500));
    for (const passes of shown) {
      expectAsBruteForce(passes, days, budgets);
      const start = performance.now();
      planPasses(passes, { days: 366 }, NOW);
      times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    expect(times[Math.floor(times.length * 0.95)]).toBeLessThanOrEqual(50);
  }, 120_000);
});

describe("refundByDay", () => {
  it("returns the price of passes that were not started, within the refund window only", () => {
    const passes = plan([week, { ...month, price: 20 }], 37)!.passes;
    expect(passes.map(({ from, to }) => [from, to])).toEqual([
      [1, 7],
      [8, 37],
    ]);
    expect(refundByDay(passes, 37, NOW)).toEqual([
      { from: 0, to: 7, cents: 2000 },
      { from: 8, to: 37, cents: 0 },
    ]);
    const late = plan([pass(5, 20, 1, { stock: 1 }), { ...month, price: 20 }], 50)!.passes;
    expect(refundByDay(late, 50, NOW)).toEqual([
      { from: 0, to: 14, cents: 2000 },
      { from: 15, to: 50, cents: 0 },
    ]);
    expect(refundOnDay(late, 14, NOW)).toBe(2000);
  });

  it("returns zero for a deal", () => {
    const passes = plan([{ ...month, deal: deal(5) }], 30)!.passes;
    expect(refundByDay(passes, 30, NOW)).toEqual([{ from: 0, to: 30, cents: 0 }]);
  });
});

type SeedPlan = {
  plan_id: number;
  type: PassType;
  days?: number | null;
  price: number;
  [key: string]: unknown;
};

/** The passes of the demo's products, each with stock. */
function demoProducts(): PlannablePass[][] {
  const lines = readFileSync("db/seed/catalog.jsonl", "utf8").trim().split("\n");
  return lines
    .map((line) => JSON.parse(line) as { kind: string; plans?: SeedPlan[] })
    .flatMap(({ plans }) =>
      plans
        ? [
            plans.map(({ plan_id, type, days, price }, index) =>
              pass(plan_id ?? index, days === undefined ? PASS_DAYS[type] : days, price, {
                stock: 3 + index * 2,
              }),
            ),
          ]
        : [],
    );
}
