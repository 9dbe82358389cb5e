import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsdInput, UsdInputParam } from "@/lib/platform/api/fields";
import { formatPrice, pricePerDay, splitByLargestRemainder, toCents, toDecimal } from "@/lib/platform/money";

const cents = fc.integer({ min: 0, max: 1_000_000_000_00 });

describe("formatPrice", () => {
  it("formats the amount in each language", () => {
    expect(formatPrice(1490, "en")).toBe("$14.90");
    expect(formatPrice(1490, "zh")).toBe("US$14.90");
    expect(formatPrice(1490, "ja")).toBe("US$14.90");
    expect(formatPrice(123456789, "en")).toBe("$1,234,567.89");
    expect(formatPrice(0, "en")).toBe("$0.00");
    expect(formatPrice(-500, "en")).toBe("-$5.00");
  });

  it("rejects fractional cents", () => {
    expect(() => formatPrice(14.9, "en")).toThrow(RangeError);
    expect(() => formatPrice(Number.NaN, "en")).toThrow(RangeError);
  });

  it("shows every cent in every language", () => {
    fc.assert(
      fc.property(cents, fc.constantFrom("en", "zh", "ja"), (amount, locale) => {
        expect(Number(formatPrice(amount, locale).replace(/\D/g, ""))).toBe(amount);
      }),
    );
  });
});

describe("an amount of an input", () => {
  it.each([UsdInput, UsdInputParam])("is accepted only if it can be counted in cents", (field) => {
    for (const amount of [0, 0.01, 1.1, 4.35, 8.2, 1_000_000])
      expect(field.safeParse(amount).success, `${amount}`).toBe(true);
    for (const amount of [5e-324, 1e-7, 1.005, 0.009999999, -0.01, 1_000_000.01, 1e308, Number.NaN])
      expect(field.safeParse(amount).success, `${amount}`).toBe(false);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1_000_000, noNaN: true }), (amount) => {
        if (field.safeParse(amount).success) toCents(amount);
      }),
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000_00 }),
        (amount) => field.parse(amount / 100) === amount / 100,
      ),
    );
  });
});

describe("toCents", () => {
  it("is the inverse of toDecimal", () => {
    fc.assert(
      fc.property(
        cents,
        (amount) => toCents(toDecimal(amount)) === amount && toCents(toDecimal(amount).toFixed(2)) === amount,
      ),
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -0.01, -1, 1.005, 0.001, 14.999, 1e300])(
    "rejects %s",
    (value) => {
      expect(() => toCents(value)).toThrow(RangeError);
    },
  );

  it.each(["", " 1", "1e3", "-1", "1.", "1.234", "0x10", "1,000", "NaN"])("rejects the text %j", (text) => {
    expect(() => toCents(text)).toThrow(RangeError);
  });

  it("rejects a third decimal other than 0", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000_00 }),
        fc.integer({ min: 1, max: 9 }),
        (amount, third) => {
          expect(() => toCents((amount * 10 + third) / 1000)).toThrow(RangeError);
        },
      ),
    );
  });

  it("returns no negative zero", () => {
    expect(Object.is(toCents(-0), 0)).toBe(true);
  });
});

describe("splitByLargestRemainder", () => {
  const weights = fc.array(fc.integer({ min: 0, max: 10_000_000 }), { minLength: 1, maxLength: 30 });

  it("adds up, stays within a cent of the exact share, and returns 0 for weight 0", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), weights, (total, weightList) => {
        const sum = weightList.reduce((a, b) => a + b, 0);
        fc.pre(sum > 0);
        const parts = splitByLargestRemainder(total, weightList);
        expect(parts.reduce((a, b) => a + b, 0)).toBe(total);
        for (const [i, part] of parts.entries()) {
          const weight = weightList[i] ?? 0;
          expect(Math.abs(part - (total * weight) / sum)).toBeLessThan(1);
          if (weight === 0) expect(part).toBe(0);
        }
      }),
    );
  });

  it("never takes more from a line than its price", () => {
    fc.assert(
      fc.property(weights, fc.double({ min: 0, max: 1, noNaN: true }), (weightList, portion) => {
        const total = Math.floor(weightList.reduce((a, b) => a + b, 0) * portion);
        const parts = splitByLargestRemainder(total, weightList);
        expect(parts.every((part, i) => part <= (weightList[i] ?? 0))).toBe(true);
      }),
    );
  });

  it("breaks ties by order and rejects invalid input", () => {
    expect(splitByLargestRemainder(100, [1, 1, 1])).toEqual([34, 33, 33]);
    expect(splitByLargestRemainder(0, [0, 0])).toEqual([0, 0]);
    expect(() => splitByLargestRemainder(1, [0])).toThrow(RangeError);
    expect(() => splitByLargestRemainder(1, [])).toThrow(RangeError);
    expect(() => splitByLargestRemainder(1.5, [1])).toThrow(RangeError);
    expect(() => splitByLargestRemainder(1, [-1, 2])).toThrow(RangeError);
  });
});

describe("pricePerDay", () => {
  it("rounds half up to the nearest cent", () => {
    expect(pricePerDay(1490, 7)).toBe(213);
    expect(pricePerDay(499, 1)).toBe(499);
    expect(pricePerDay(3, 2)).toBe(2);
    expect(pricePerDay(999, 30)).toBe(33);
  });

  it("handles free, lifetime and nearly free passes", () => {
    expect(pricePerDay(0, 30)).toBe(0);
    expect(pricePerDay(9900, null)).toBeNull();
    expect(pricePerDay(1, 365)).toBe(1);
    expect(() => pricePerDay(100, 0)).toThrow(RangeError);
  });

  it("is within half a cent of the exact price from one cent a day", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3660 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        (days, extra) => {
          const amount = days + extra;
          expect(Math.abs((pricePerDay(amount, days) ?? 0) - amount / days)).toBeLessThanOrEqual(0.5);
        },
      ),
    );
  });
});
