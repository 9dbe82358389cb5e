import { describe, expect, it } from "vitest";
import { shownStats } from "@/lib/catalog/rules";
import { shownMembers } from "@/lib/referrals/rules";

describe("numbers that mean little are hidden", () => {
  const enough = { products: 50, vendors: 20, plans: 100, delivered: 1000 };

  it("in shop statistics, up to a limit for each", () => {
    expect(shownStats(enough)).toEqual(["products", "vendors", "plans", "delivered"]);
    for (const name of ["products", "vendors", "plans", "delivered"] as const)
      expect(shownStats({ ...enough, [name]: enough[name] - 1 })).not.toContain(name);
    expect(shownStats({ products: 0, vendors: 0, plans: 0, delivered: 0 })).toEqual([]);
  });

  it.each([
    [0, null],
    [1, { count: 1, isMany: false }],
    [999, { count: 999, isMany: false }],
    [1000, { count: 1000, isMany: false }],
    [1001, { count: 1000, isMany: true }],
    [23_456, { count: 23_000, isMany: true }],
  ])("on the invitation page of %i members, which shows %j", (members, expected) => {
    expect(shownMembers(members)).toEqual(expected);
  });
});
