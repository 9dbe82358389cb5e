import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  REDEMPTIONS,
  REFUND_DAYS,
  REFUNDABLE_FROM_DAYS,
  type RefundFacts,
  refundDecision,
  toRefundView,
} from "@/lib/payments/refunds/rules";

const DAY = 86_400_000;
const now = new Date("2026-11-20T12:00:00Z");
const paidDaysAgo = (daysAgo: number, ms = 0) => new Date(now.getTime() - daysAgo * DAY + ms);
const month: RefundFacts = {
  durationDays: 30,
  paidCents: 1999,
  limitedTime: false,
  paidAt: paidDaysAgo(1),
  redemption: "unredeemed",
};

describe("refundDecision", () => {
  it.each([
    ["a month", {}, "refundable"],
    ["a year", { durationDays: 365 }, "refundable"],
    ["lifetime", { durationDays: null }, "refundable"],
    ["an offer, before payment", { paidAt: null }, "refundable"],
    ["29 days", { durationDays: 29 }, "short_pass"],
    ["a week", { durationDays: 7 }, "short_pass"],
    ["a day", { durationDays: 1 }, "short_pass"],
    ["free", { paidCents: 0 }, "free"],
    ["limited-time", { limitedTime: true }, "limited_time"],
    ["redeemed", { redemption: "redeemed" }, "redeemed"],
    ["unknown use", { redemption: "unknown" }, "refundable"],
    ["in the last millisecond", { paidAt: paidDaysAgo(15, 1) }, "refundable"],
    ["after exactly 15 × 24 h", { paidAt: paidDaysAgo(15) }, "window_over"],
    ["much later", { paidAt: paidDaysAgo(400) }, "window_over"],
    ["free, and limited, and short", { paidCents: 0, limitedTime: true, durationDays: 1 }, "free"],
    ["a short deal", { limitedTime: true, durationDays: 1 }, "limited_time"],
    ["redeemed and too late", { redemption: "redeemed", paidAt: paidDaysAgo(20) }, "redeemed"],
  ] as [string, Partial<RefundFacts>, string][])("%s: %s → %s", (_, overrides, reason) => {
    const decision = refundDecision({ ...month, ...overrides }, now);
    expect(decision.reason).toBe(reason);
    expect(decision.refundable).toBe(reason === "refundable");
    expect(decision.amountCents).toBe(reason === "refundable" ? 1999 : 0);
  });

  it("returns the end of the window: 15 × 24 h from payment, null before payment", () => {
    expect(refundDecision(month, now).until).toEqual(paidDaysAgo(1 - 15));
    expect(refundDecision({ ...month, paidAt: null }, now).until).toBeNull();
    expect(refundDecision({ ...month, paidAt: paidDaysAgo(16) }, now).until).toEqual(paidDaysAgo(1));
  });

  it("requires a vendor confirmation only for a paid code whose use is unknown", () => {
    expect(refundDecision({ ...month, redemption: "unknown" }, now).needsVendorConfirmation).toBe(true);
    expect(
      refundDecision({ ...month, redemption: "unknown", paidAt: null }, now).needsVendorConfirmation,
    ).toBe(false);
    expect(refundDecision(month, now).needsVendorConfirmation).toBe(false);
    expect(
      refundDecision({ ...month, redemption: "unknown", paidAt: paidDaysAgo(16) }, now)
        .needsVendorConfirmation,
    ).toBe(false);
  });

  it("toRefundView returns dollars and ISO time", () => {
    expect(toRefundView(refundDecision(month, now), null)).toEqual({
      refundable: true,
      amount: 19.99,
      until: "2026-12-04T12:00:00.000Z",
      reason: "refundable",
      days: 15,
      right: null,
    });
  });
});

const anyFacts: fc.Arbitrary<RefundFacts> = fc.record({
  durationDays: fc.option(fc.integer({ min: 1, max: 800 })),
  paidCents: fc.integer({ min: 0, max: 100_000 }),
  limitedTime: fc.boolean(),
  paidAt: fc.option(
    fc.integer({ min: 0, max: 40 * DAY }).map((elapsed) => new Date(now.getTime() - elapsed)),
  ),
  redemption: fc.constantFrom(...REDEMPTIONS),
});

describe("refundDecision of any pass", () => {
  it("refunds the paid amount or nothing, by the conditions of the rule", () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { refundable, amountCents, reason } = refundDecision(facts, now);
        const inWindow = facts.paidAt === null || now.getTime() - facts.paidAt.getTime() < REFUND_DAYS * DAY;
        const longEnough = facts.durationDays === null || facts.durationDays >= REFUNDABLE_FROM_DAYS;
        const expected =
          facts.paidCents > 0 &&
          !facts.limitedTime &&
          longEnough &&
          inWindow &&
          facts.redemption !== "redeemed";
        expect(refundable).toBe(expected);
        expect(reason === "refundable").toBe(expected);
        expect(amountCents).toBe(expected ? facts.paidCents : 0);
      }),
      { numRuns: 2000 },
    );
  });

  it("never becomes refundable again as time passes", () => {
    fc.assert(
      fc.property(anyFacts, fc.integer({ min: 0, max: 60 * DAY }), (facts, later) => {
        const before = refundDecision(facts, now);
        const after = refundDecision(facts, new Date(now.getTime() + later));
        expect(after.refundable && !before.refundable).toBe(false);
        expect(after.until).toEqual(before.until);
      }),
      { numRuns: 1000 },
    );
  });
});
