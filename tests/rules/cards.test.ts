import { describe, expect, it } from "vitest";
import { brandName, expiryText, isExpired } from "@/lib/payments/cards/rules";

describe("stored cards", () => {
  it("expire at the end of their month", () => {
    const card = { exp_month: 12, exp_year: 2026 };
    expect(isExpired(card, new Date("2026-12-31T23:59:59Z"))).toBe(false);
    expect(isExpired(card, new Date("2027-01-01T00:00:00Z"))).toBe(true);
    expect(isExpired({ exp_month: 1, exp_year: 2027 }, new Date("2026-12-31T00:00:00Z"))).toBe(false);
  });

  it("have the brand's own spelling, or null for an unknown brand", () => {
    expect(brandName("mastercard")).toBe("Mastercard");
    expect(brandName("constructor")).toBeNull();
    expect(expiryText({ exp_month: 4, exp_year: 2029 })).toBe("04/2029");
  });
});
