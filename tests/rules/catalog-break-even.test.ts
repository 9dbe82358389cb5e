import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { breakEven } from "@/lib/catalog/pricing/rules";
import type { PassType } from "@/lib/catalog/rules";

const pass = (vip_type: PassType, duration_days: number | null, price: number, stock_state = "in_stock") => ({
  vip_id: (duration_days ?? 9999) * 10,
  vip_type,
  duration_days,
  price,
  stock_state,
});
const day = pass("day", 1, 3.9);
const three = pass("day", 3, 9.9);
const week = pass("week", 7, 14.9);
const month = pass("month", 30, 29);
const all = [day, three, week, month];

describe("break-even", () => {
  it("names the fewest passes that cost more than the nearest longer one", () => {
    expect(breakEven(day, all)).toEqual({ count: 3, longer: three });
    expect(breakEven(day, [day, week])).toEqual({ count: 4, longer: week });
    expect(breakEven(week, all)).toEqual({ count: 2, longer: month });
  });

  it("counts an equal price as not yet more", () => {
    expect(breakEven(pass("day", 1, 5), [pass("week", 7, 15)])?.count).toBe(4);
  });

  it("passes over what is sold out, free, shorter, or better bought by the day", () => {
    expect(breakEven(day, [pass("week", 7, 14.9, "sold_out"), month])).toEqual({ count: 8, longer: month });
    expect(breakEven(day, [pass("week", 7, 0)])).toBeNull();
    expect(breakEven(month, all)).toBeNull();
    expect(breakEven(day, [pass("week", 7, 40)])).toBeNull();
  });

  it("says nothing of a free pass or a lifetime", () => {
    expect(breakEven(pass("day", 1, 0), all)).toBeNull();
    expect(breakEven(pass("lifetime", null, 9), all)).toBeNull();
    expect(breakEven(month, [pass("lifetime", null, 199)])?.count).toBe(7);
  });

  it("is true whatever the prices are", () => {
    const cents = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        const found = breakEven(pass("day", 1, a / 100), [pass("year", 365, b / 100)]);
        if (!found) return;
        expect(found.count * a).toBeGreaterThan(b);
        expect((found.count - 1) * a).toBeLessThanOrEqual(b);
        expect(found.count).toBeLessThanOrEqual(365);
      }),
    );
  });
});
