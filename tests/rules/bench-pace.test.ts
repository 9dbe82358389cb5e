import { describe, expect, it } from "vitest";
import { type Absolute, atPace, paceOf } from "../bench/pace";
import { benchTable } from "../bench/table";

const search: Absolute = { value: 18, bar: 10, unit: "ms", by: "transaction" };
const checkout: Absolute = { value: 34, bar: 50, unit: "orders/s", by: "transaction", atLeast: true };

describe("the pace of a machine", () => {
  it("is what its yardsticks are of those where the bars were set, and never more", () => {
    expect(paceOf([{ handlerUs: 920 }, { transactions: 1200 }])).toEqual({ handler: 0.5, transaction: 0.5 });
    expect(paceOf([{ handlerUs: 300 }, { transactions: 4000 }])).toEqual({ handler: 1, transaction: 1 });
    expect(paceOf([])).toEqual({});
  });

  it("makes a time shorter and a rate higher, as a faster machine would", () => {
    expect(atPace(search, { transaction: 0.5 })).toEqual({ there: 9, holds: true });
    expect(atPace(search, { transaction: 1 })).toEqual({ there: 18, holds: false });
    expect(atPace(checkout, { transaction: 0.5 })).toEqual({ there: 68, holds: true });
    expect(atPace(checkout, { transaction: 0.8 })).toEqual({ there: 42.5, holds: false });
    expect(atPace(search, { handler: 0.5 })).toBeNull();
  });

  it("stands beside the bar in the table, which still judges what was measured here", () => {
    const line = { yardstick: "–", bar: "p95 ≤ 10 ms", holds: false, absolute: search };
    const table = benchTable([
      { what: "Search", ours: "p95 18 ms", ...line },
      { what: "Order", ours: "–", yardstick: "–", bar: "–", holds: true, tells: { transactions: 1200 } },
    ]);
    expect(table).toContain("| Search | p95 18 ms | – | – | p95 ≤ 10 ms | **no** | 9.0 ms, yes |");
    expect(benchTable([{ what: "Search", ours: "p95 18 ms", ...line }])).toContain("| **no** | – |");
  });
});
