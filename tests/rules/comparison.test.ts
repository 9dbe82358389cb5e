import { describe, expect, it } from "vitest";
import { comparePath, findLowestPerDay, parseComparedPlans } from "@/lib/catalog/rules";

describe("the address of a comparison", () => {
  it("names up to four plans, each once, in order", () => {
    expect(comparePath([5003, 5001])).toBe("/compare?plans=5003,5001");
    expect(comparePath([])).toBe("/compare");
    expect(parseComparedPlans("5003,5001,5003,5002,5004,5005")).toEqual([5003, 5001, 5002, 5004]);
  });

  it.each([undefined, "", ",", "x", "0", "-1", "1.5", "1e3", "05", "9999999999", "1;2", "' or 1=1"])(
    "ignores %s",
    (plans) => expect(parseComparedPlans(plans)).toEqual([]),
  );

  it("leads back to the same plans", () => {
    const plans = new URL(comparePath([7, 8]), "http://shop").searchParams.get("plans")!;
    expect(parseComparedPlans(plans)).toEqual([7, 8]);
  });
});

describe("the lowest price per day of a comparison", () => {
  const week = { price: 7, price_per_day: 1 };
  const month = { price: 15, price_per_day: 0.5 };
  const lifetime = { price: 90, price_per_day: null };
  const free = { price: 0, price_per_day: null };

  it("is the price of a free pass, else the lowest of passes with a term", () => {
    expect(findLowestPerDay([week, month, lifetime])).toEqual([month]);
    expect(findLowestPerDay([week, free, month])).toEqual([free]);
  });

  it("is marked only when there is something to compare with", () => {
    expect(findLowestPerDay([week])).toEqual([]);
    expect(findLowestPerDay([week, lifetime])).toEqual([]);
    expect(findLowestPerDay([])).toEqual([]);
  });
});
