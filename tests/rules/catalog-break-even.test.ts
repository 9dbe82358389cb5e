import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { breakEven } from "@/lib/catalog/pricing/rules";
import type { PassType } from "@/lib/catalog/rules";

const pass = (
  pass_type: PassType,
  duration_days: number | null,
  price: number,
  stock_state = "in_stock",
) => ({
  vip_id: (duration_days ?? 9999) * 10,
  pass_type,
  duration_days,
  price,
  stock_state,
});
const day = pass("day", 1, 3.9);
const threeDays = pass("day", 3, 9.9);
const week = pass("week", 7, 14.9);
const month = pass("month", 30, 29);
const passes = [day, threeDays, week, month];

describe("breakEven", () => {
  it("returns the smallest count that costs more than the next longer pass", () => {
    expect(breakEven(day, passes)).toEqual({ count: 3, longer: threeDays });
    expect(breakEven(day, [day, week])).toEqual({ count: 4, longer: week });
    expect(breakEven(week, passes)).toEqual({ count: 2, longer: month });
  });

  it("does not count an equal price as more", () => {
    expect(breakEven(pass("day", 1, 5), [pass("week", 7, 15)])?.count).toBe(4);
  });

  it("ignores sold-out, free and shorter passes, and longer ones that never pay off", () => {
    expect(breakEven(day, [pass("week", 7, 14.9, "sold_out"), month])).toEqual({ count: 8, longer: month });
    expect(breakEven(day, [pass("week", 7, 0)])).toBeNull();
    expect(breakEven(month, passes)).toBeNull();
    expect(breakEven(day, [pass("week", 7, 40)])).toBeNull();
  });

  it("returns null for a free pass and a lifetime pass", () => {
    expect(breakEven(pass("day", 1, 0), passes)).toBeNull();
    expect(breakEven(pass("lifetime", null, 9), passes)).toBeNull();
    expect(breakEven(month, [pass("lifetime", null, 199)])?.count).toBe(7);
  });

  it("returns the smallest count for any prices", () => {
    const cents = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        const result = breakEven(pass("day", 1, a / 100), [pass("year", 365, b / 100)]);
        if (!result) return;
        expect(result.count * a).toBeGreaterThan(b);
        expect((result.count - 1) * a).toBeLessThanOrEqual(b);
        expect(result.count).toBeLessThanOrEqual(365);
      }),
    );
  });
});
